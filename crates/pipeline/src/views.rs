//! `views.sql`: a commit's tables as DuckDB views over exactly its parts.

use store::Store;

use crate::commit::Commit;

/// The text of `views.sql`. Paths of a folder are absolute, so that it can be run from anywhere.
pub(crate) fn sql(store: &dyn Store, commit: &Commit) -> String {
    let root = store.describe();
    let root = if root.contains("://") {
        root
    } else {
        std::path::absolute(&root).map_or(root, |path| path.display().to_string())
    };
    let mut sql = format!(
        "-- Commit {} of the job {}. DuckDB: .read views.sql, or duckdb -init views.sql\n",
        commit.number, commit.job
    );
    for (table, parts) in commit.tables.iter().filter(|(_, parts)| !parts.is_empty()) {
        sql.push_str(&format!(
            "CREATE OR REPLACE VIEW {table} AS SELECT * FROM read_parquet([\n"
        ));
        let paths: Vec<String> = parts
            .iter()
            .map(|part| format!("  '{}'", quoted(&format!("{root}/{}", part.path))))
            .collect();
        sql.push_str(&paths.join(",\n"));
        sql.push_str("\n]);\n");
    }
    sql
}

fn quoted(text: &str) -> String {
    text.replace('\'', "''")
}
