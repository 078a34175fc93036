//! What each column of a table costs to write under each layout: nanoseconds and bytes a row.
//!
//! `cargo run --release -p nabsak-tables --example bench_columns FOLDER [ROUNDS]`, FOLDER with the parts of a table, such as
//! `out/demo/plies`.

use std::io;
use std::path::Path;
use std::time::Instant;

use arrow_array::RecordBatch;
use arrow_schema::DataType;
use bytes::Bytes;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::file::properties::{EnabledStatistics, WriterProperties, WriterPropertiesBuilder};
use tables::{BATCH_ROWS, ROW_GROUP_ROWS};

type Layout = (
    &'static str,
    fn(WriterPropertiesBuilder) -> WriterPropertiesBuilder,
);

fn zstd(level: i32) -> Compression {
    Compression::ZSTD(ZstdLevel::try_new(level).unwrap_or_default())
}

/// The layouts tried.
fn layouts(of: &DataType) -> Vec<Layout> {
    let mut all: Vec<Layout> = vec![
        ("dictionary", |to| to),
        ("dictionary, no page statistics", |to| {
            to.set_statistics_enabled(EnabledStatistics::Chunk)
        }),
        ("dictionary, no statistics", |to| {
            to.set_statistics_enabled(EnabledStatistics::None)
        }),
        ("dictionary, zstd 1", |to| to.set_compression(zstd(1))),
        ("dictionary, not packed", |to| {
            to.set_compression(Compression::UNCOMPRESSED)
        }),
        ("dictionary, Bloom filter", |to| {
            to.set_bloom_filter_enabled(true)
        }),
        ("plain", |to| to.set_dictionary_enabled(false)),
        ("plain, zstd 1", |to| {
            to.set_dictionary_enabled(false).set_compression(zstd(1))
        }),
    ];
    match of {
        DataType::Utf8 => all.extend::<[Layout; 5]>([
            ("delta lengths", |to| {
                to.set_dictionary_enabled(false)
                    .set_encoding(Encoding::DELTA_LENGTH_BYTE_ARRAY)
            }),
            ("delta lengths, zstd 1", |to| {
                to.set_dictionary_enabled(false)
                    .set_encoding(Encoding::DELTA_LENGTH_BYTE_ARRAY)
                    .set_compression(zstd(1))
            }),
            ("delta lengths, zstd 1, no statistics", |to| {
                to.set_dictionary_enabled(false)
                    .set_encoding(Encoding::DELTA_LENGTH_BYTE_ARRAY)
                    .set_compression(zstd(1))
                    .set_statistics_enabled(EnabledStatistics::None)
            }),
            ("delta lengths, not packed, no statistics", |to| {
                to.set_dictionary_enabled(false)
                    .set_encoding(Encoding::DELTA_LENGTH_BYTE_ARRAY)
                    .set_compression(Compression::UNCOMPRESSED)
                    .set_statistics_enabled(EnabledStatistics::None)
            }),
            ("delta strings", |to| {
                to.set_dictionary_enabled(false)
                    .set_encoding(Encoding::DELTA_BYTE_ARRAY)
            }),
        ]),
        DataType::Int32 | DataType::Int64 => all.extend::<[Layout; 2]>([
            ("delta", |to| {
                to.set_dictionary_enabled(false)
                    .set_encoding(Encoding::DELTA_BINARY_PACKED)
            }),
            ("delta, not packed", |to| {
                to.set_dictionary_enabled(false)
                    .set_encoding(Encoding::DELTA_BINARY_PACKED)
                    .set_compression(Compression::UNCOMPRESSED)
            }),
        ]),
        DataType::Float64 => all.push(("byte streams", |to| {
            to.set_dictionary_enabled(false)
                .set_encoding(Encoding::BYTE_STREAM_SPLIT)
        })),
        _ => {}
    }
    all
}

/// The batches of the parts in a folder.
fn batches(folder: &Path) -> io::Result<Vec<RecordBatch>> {
    let entries = std::fs::read_dir(folder)?.flatten();
    let mut parts: Vec<_> = entries.map(|entry| entry.path()).collect();
    parts.retain(|path| path.extension().is_some_and(|end| end == "parquet"));
    parts.sort();
    let mut all = Vec::new();
    for part in parts {
        let bytes = Bytes::from(std::fs::read(part)?);
        let reader = ParquetRecordBatchReaderBuilder::try_new(bytes)?
            .with_batch_size(BATCH_ROWS)
            .build()?;
        for batch in reader {
            all.push(batch.map_err(io::Error::other)?);
        }
    }
    Ok(all)
}

/// Nanoseconds a row and bytes a row of one column under one layout.
fn measure(column: &[RecordBatch], layout: &Layout, rows: f64) -> io::Result<(f64, f64)> {
    let base = WriterProperties::builder()
        .set_compression(zstd(3))
        .set_statistics_enabled(EnabledStatistics::Page)
        .set_max_row_group_row_count(Some(ROW_GROUP_ROWS));
    let start = Instant::now();
    let schema = column[0].schema();
    let mut writer = ArrowWriter::try_new(Vec::new(), schema, Some(layout.1(base).build()))?;
    for batch in column {
        writer.write(batch)?;
    }
    let bytes = writer.into_inner()?.len() as f64;
    Ok((start.elapsed().as_nanos() as f64 / rows, bytes / rows))
}

fn main() -> io::Result<()> {
    let usage = || io::Error::other("usage: bench_columns FOLDER [ROUNDS]");
    let mut words = std::env::args().skip(1);
    let folder = words.next().ok_or_else(usage)?;
    let rounds = words.next().and_then(|text| text.parse().ok()).unwrap_or(9);
    let all = batches(Path::new(&folder))?;
    let schema = all.first().ok_or_else(usage)?.schema();
    let rows: usize = all.iter().map(RecordBatch::num_rows).sum();
    println!("{rows} rows; the least of {rounds} rounds");
    for (at, field) in schema.fields().iter().enumerate() {
        let column: Vec<RecordBatch> = all
            .iter()
            .map(|batch| batch.project(&[at]))
            .collect::<Result<_, _>>()
            .map_err(io::Error::other)?;
        println!("{} ({})", field.name(), field.data_type());
        for layout in &layouts(field.data_type()) {
            let (mut least, mut bytes) = (f64::MAX, 0.0);
            for _ in 0..rounds {
                let (ns, size) = measure(&column, layout, rows as f64)?;
                (least, bytes) = (least.min(ns), size);
            }
            println!("  {:<42} {least:>6.1} ns {bytes:>7.3} bytes", layout.0);
        }
    }
    Ok(())
}
