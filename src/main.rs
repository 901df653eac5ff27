//! The `gridmill` program.

use std::process::ExitCode;

fn main() -> ExitCode {
    gridmill::cli::run(std::env::args_os())
}
