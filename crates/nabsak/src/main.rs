//! The program `nabsak`.

fn main() -> std::process::ExitCode {
    nabsak::nabsak()
}
