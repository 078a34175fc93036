//! The contracts in `schemas/` against the code: same tables, same columns in the same order, same types, nullability
//! and words.
#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use arrow_schema::{DataType, TimeUnit};
use serde_yaml_ng::Value;
use tables::{Column, Table};

fn schemas() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../schemas")
}

fn contract(table: Table) -> Value {
    let path = schemas().join(format!("{table}.yaml"));
    serde_yaml_ng::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

/// The type of a column as the contracts name it: logical, and physical as DuckDB does.
fn types(data_type: &DataType) -> (&'static str, &'static str) {
    match data_type {
        DataType::Boolean => ("boolean", "BOOLEAN"),
        DataType::Int32 => ("integer", "INTEGER"),
        DataType::Int64 => ("integer", "BIGINT"),
        DataType::Float64 => ("number", "DOUBLE"),
        DataType::Utf8 | DataType::Dictionary(..) => ("string", "VARCHAR"),
        DataType::Map(..) => ("object", "MAP(VARCHAR, VARCHAR)"),
        DataType::Timestamp(..) => ("timestamp", "TIMESTAMP_TZ"),
        other => panic!("no contract has a name for {other}"),
    }
}

/// The Arrow type as the contracts write it.
fn arrow_type(data_type: &DataType) -> &'static str {
    match data_type {
        DataType::Boolean => "Boolean",
        DataType::Int32 => "Int32",
        DataType::Int64 => "Int64",
        DataType::Float64 => "Float64",
        DataType::Utf8 => "Utf8",
        DataType::Dictionary(..) => "Dictionary(Int32, Utf8)",
        DataType::Map(..) => "Map(Utf8, Utf8)",
        DataType::Timestamp(TimeUnit::Microsecond, Some(_)) => "Timestamp(Microsecond, UTC)",
        other => panic!("no contract has a name for {other}"),
    }
}

fn property<'a>(column: &'a Value, name: &str) -> Option<&'a Value> {
    let custom = column.get("customProperties")?.as_sequence()?;
    custom
        .iter()
        .find(|property| property["property"] == *name)
        .map(|property| &property["value"])
}

fn words(column: &Value) -> Option<Vec<&str>> {
    property(column, "enum")?
        .as_sequence()?
        .iter()
        .map(Value::as_str)
        .collect()
}

#[track_caller]
fn compare(table: Table, column: &Column, contract: &Value) {
    let place = format!("{table}.{}", column.name);
    assert_eq!(
        contract["name"].as_str(),
        Some(column.name),
        "{place}: name and order"
    );
    let (logical, physical) = types(&column.data_type);
    assert_eq!(
        contract["logicalType"].as_str(),
        Some(logical),
        "{place}: logical type"
    );
    assert_eq!(
        contract["physicalType"].as_str(),
        Some(physical),
        "{place}: physical type"
    );
    assert_eq!(
        contract["required"].as_bool(),
        Some(!column.nullable),
        "{place}: required"
    );
    assert_eq!(
        property(contract, "arrowType").and_then(Value::as_str),
        Some(arrow_type(&column.data_type)),
        "{place}: Arrow type"
    );
    let digits = contract["logicalTypeOptions"]["maxLength"].as_u64();
    assert_eq!(
        digits,
        column.digits.map(|digits| digits as u64),
        "{place}: digits"
    );
    assert_eq!(words(contract), column.allowed, "{place}: allowed values");
    assert!(
        contract["description"]
            .as_str()
            .is_some_and(|text| text.len() > 3),
        "{place}: description"
    );
    assert!(
        contract["transformSourceObjects"][0].as_str().is_some(),
        "{place}: source"
    );
}

#[test]
fn every_contract_has_a_table_and_every_table_a_contract() {
    let files: BTreeSet<String> = fs::read_dir(schemas())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    let tables: BTreeSet<String> = Table::ALL
        .iter()
        .map(|table| format!("{table}.yaml"))
        .collect();
    assert_eq!(files, tables);
}

#[test]
fn code_and_contracts_say_the_same() {
    for table in Table::ALL {
        let contract = contract(table);
        assert_eq!(
            contract["version"].as_str(),
            Some(Table::CONTRACT_VERSION),
            "{table}: version"
        );
        assert_eq!(
            contract["kind"].as_str(),
            Some("DataContract"),
            "{table}: kind"
        );
        let schema = &contract["schema"][0];
        assert_eq!(schema["name"].as_str(), Some(table.name()), "{table}: name");
        let columns = table.columns();
        let contracted = schema["properties"].as_sequence().unwrap();
        assert_eq!(
            contracted.len(),
            columns.len(),
            "{table}: number of columns"
        );
        columns
            .iter()
            .zip(contracted)
            .for_each(|(column, contract)| compare(table, column, contract));
    }
}

#[test]
fn the_layout_is_in_the_contract() {
    for table in Table::ALL {
        let contract = contract(table);
        let schema = &contract["schema"][0];
        let order = match table.order() {
            [] => "the order of the games in the input".to_owned(),
            keys => keys.join(", "),
        };
        assert_eq!(
            property(schema, "rowOrder").and_then(Value::as_str),
            Some(&*order),
            "{table}: order"
        );
        let blooms = match table.looked_up_by() {
            [] => "none".to_owned(),
            columns => columns.join(", "),
        };
        assert_eq!(
            property(schema, "bloomFilters").and_then(Value::as_str),
            Some(&*blooms),
            "{table}: Bloom filters"
        );
    }
}

/// The key as the contract has it, in its order.
fn key(table: Table) -> Vec<String> {
    let contract = contract(table);
    let columns = contract["schema"][0]["properties"].as_sequence().unwrap();
    let mut key: Vec<(u64, String)> = columns
        .iter()
        .filter(|column| column["primaryKey"].as_bool() == Some(true))
        .map(|column| {
            let name = column["name"].as_str().unwrap().to_owned();
            assert_eq!(column["required"].as_bool(), Some(true), "{table}.{name}");
            (column["primaryKeyPosition"].as_u64().unwrap(), name)
        })
        .collect();
    key.sort();
    let positions: Vec<u64> = key.iter().map(|(position, _)| *position).collect();
    let counted: Vec<u64> = (1..=key.len() as u64).collect();
    assert_eq!(positions, counted, "{table}: positions of the key");
    key.into_iter().map(|(_, name)| name).collect()
}

#[test]
fn a_table_with_an_order_of_its_own_has_it_as_its_key() {
    for table in Table::ALL {
        let key = key(table);
        match table {
            // Its rows lie in the order of the input and bear an id beside it.
            Table::Games => assert_eq!(key, ["game_id"]),
            // The same thing may be found twice: rows have no key.
            Table::Findings => assert!(key.is_empty()),
            _ if table.order().is_empty() => assert_eq!(key[0], "game_id", "{table}"),
            _ => assert_eq!(key, table.order(), "{table}"),
        }
    }
}

#[test]
fn layout_names_columns_that_exist() {
    for table in Table::ALL {
        let names: Vec<&str> = table.columns().iter().map(|column| column.name).collect();
        for column in table
            .order()
            .iter()
            .chain(table.looked_up_by())
            .chain(table.hardly_repeating())
            .chain(table.near_the_last())
            .chain(table.without_statistics())
            .chain(table.packed_lightly())
        {
            assert!(names.contains(column), "{table} has no column {column}");
        }
    }
}

#[test]
fn only_runs_has_times() {
    for table in Table::ALL {
        let times = table
            .columns()
            .iter()
            .any(|column| matches!(column.data_type, DataType::Timestamp(..)));
        assert_eq!(times, table == Table::Runs, "{table}");
    }
}

#[test]
fn names_come_back() {
    for table in Table::ALL {
        assert_eq!(table.name().parse(), Ok(table));
    }
    assert_eq!(
        "endings".parse::<Table>().unwrap_err().to_string(),
        "no table is called \"endings\""
    );
}
