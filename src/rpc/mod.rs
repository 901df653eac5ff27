//! The gRPC face.

pub mod pb;
