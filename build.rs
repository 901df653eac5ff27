//! Generates the gRPC code from `proto/`. protox compiles the files in Rust, so a fresh machine needs
//! no protoc.

use std::path::PathBuf;
use std::{env, error, fs};

use prost::Message;

const PROTO: &str = "proto";
const FILES: [&str; 4] = [
    "gridmill/v1/grid.proto",
    "gridmill/v1/sudoku_service.proto",
    "gridmill/v1/job_service.proto",
    "gridmill/v1/admin_service.proto",
];

fn main() -> Result<(), Box<dyn error::Error>> {
    println!("cargo:rerun-if-changed={PROTO}");
    println!("cargo:rerun-if-changed=migrations");

    let descriptors = protox::compile(FILES, [PROTO])?;
    // Reflection serves these bytes.
    let out = PathBuf::from(env::var("OUT_DIR")?).join("gridmill_descriptor.bin");
    fs::write(out, descriptors.encode_to_vec())?;

    tonic_prost_build::configure()
        // Maps in key order: the digest of a request must not depend on a hash seed.
        .btree_map(".")
        // Packed grids are handed on without a copy.
        .bytes(".")
        .compile_fds(descriptors)?;
    Ok(())
}
