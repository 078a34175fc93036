//! The command line `nabsak`.

fn main() {}
