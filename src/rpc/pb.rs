//! What the build generates from `proto/`.
#![expect(
    missing_docs,
    clippy::pedantic,
    clippy::large_enum_variant,
    reason = "generated; the proto files carry the comments"
)]

tonic::include_proto!("gridmill.v1");

/// The compiled proto files, for reflection.
pub const FILE_DESCRIPTOR_SET: &[u8] =
    include_bytes!(concat!(env!("OUT_DIR"), "/gridmill_descriptor.bin"));
