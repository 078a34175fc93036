//! The program `nabsak-worker`, which nodes and images carry.

fn main() -> std::process::ExitCode {
    nabsak::worker()
}
