//! Rows to Arrow to Parquet, exactly as the contracts in schemas say.
