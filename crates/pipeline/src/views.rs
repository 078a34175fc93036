//! `views.sql`: a commit's tables as DuckDB views over exactly its parts.

use store::Store;

use crate::commit::Commit;

/// The text of `views.sql`. Paths of a folder are relative: the folder can be copied, and DuckDB is started in it. Those of a
/// bucket are whole.
pub(crate) fn sql(store: &dyn Store, commit: &Commit) -> String {
    let root = store.describe();
    let root = if root.contains("://") {
        format!("{root}/")
    } else {
        String::new()
    };
    let mut sql = format!(
        "-- Commit {} of the job {}. In this folder: duckdb -init views.sql\n",
        commit.number, commit.job
    );
    for (table, parts) in commit.tables.iter().filter(|(_, parts)| !parts.is_empty()) {
        sql.push_str(&format!(
            "CREATE OR REPLACE VIEW {table} AS SELECT * FROM read_parquet([\n"
        ));
        let paths: Vec<String> = parts
            .iter()
            .map(|part| format!("  '{}'", quoted(&format!("{root}{}", part.path))))
            .collect();
        sql.push_str(&paths.join(",\n"));
        sql.push_str("\n]);\n");
    }
    sql
}

fn quoted(text: &str) -> String {
    text.replace('\'', "''")
}
