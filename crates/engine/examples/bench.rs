//! The node signature: `bench`.

fn main() {
    let bench = engine::bench();
    println!(
        "{} positions, {} nodes, {} nodes/s",
        bench.positions,
        bench.nodes,
        bench.nodes_per_second()
    );
}
