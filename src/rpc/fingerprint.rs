//! What a request says, as 32 bytes, so that a retry can be told from another request.
//!
//! The encoding is canonical: prost writes fields in the order of their numbers, and maps are
//! B-trees. Unknown fields are dropped while decoding.

use prost::Message;
use sha2::{Digest, Sha256};

use super::pb;

/// SHA-256 of a message's canonical form.
pub(super) fn of(message: &impl Message) -> [u8; 32] {
    Sha256::digest(message.encode_to_vec()).into()
}

/// SHA-256 of the request without its `request_id`, which is then put back.
pub(super) fn of_create(request: &mut pb::CreateJobRequest) -> [u8; 32] {
    let request_id = std::mem::take(&mut request.request_id);
    let fingerprint = of(request);
    request.request_id = request_id;
    fingerprint
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(request_id: &str, labels: &[(&str, &str)]) -> pb::CreateJobRequest {
        let pairs = labels
            .iter()
            .map(|&(k, v)| (k.to_owned(), v.to_owned()))
            .collect();
        pb::CreateJobRequest {
            request_id: request_id.to_owned(),
            job: Some(pb::Job {
                labels: pairs,
                ..pb::Job::default()
            }),
            ..pb::CreateJobRequest::default()
        }
    }

    #[test]
    fn neither_the_request_id_nor_the_order_of_labels_matters() {
        let mut one = request("a", &[("x", "1"), ("y", "2")]);
        let mut other = request("b", &[("y", "2"), ("x", "1")]);
        assert_eq!(of_create(&mut one), of_create(&mut other));
        assert_eq!(one.request_id, "a");
    }

    #[test]
    fn what_is_asked_for_does() {
        let mut one = request("a", &[("x", "1")]);
        let mut other = request("a", &[("x", "2")]);
        assert_ne!(of_create(&mut one), of_create(&mut other));
    }
}
