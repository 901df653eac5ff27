//! Page tokens: where the next page begins, authenticated and bound to the request they were made for.
//!
//! ```text
//! byte   0         1..9             9..25
//!       [version] [position, BE]   [HMAC-SHA256(secret, version | filter | position), first half]
//! ```
//!
//! in base64url. `filter` is the digest of the request without its page fields, so a token is of no use
//! for another job, another filter or another method. Positions are keys, never offsets: a page begins
//! where the last one ended, whatever was added or removed meanwhile.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use tonic::Status;

use super::status;

const VERSION: u8 = 1;
const TAG: usize = 16;
const LENGTH: usize = 1 + 8 + TAG;

/// Makes and reads the tokens of one store.
#[derive(Clone)]
pub(super) struct PageTokens {
    secret: [u8; 32],
}

impl PageTokens {
    /// With a store's secret, so that any replica reads what another gave out.
    pub(super) const fn new(secret: [u8; 32]) -> Self {
        Self { secret }
    }

    /// A token that says `position` to the same request.
    pub(super) fn issue(&self, filter: &[u8; 32], position: u64) -> String {
        let mut token = [0; LENGTH];
        token[0] = VERSION;
        token[1..9].copy_from_slice(&position.to_be_bytes());
        let tag = self.mac(filter, position).finalize().into_bytes();
        token[9..].copy_from_slice(&tag[..TAG]);
        URL_SAFE_NO_PAD.encode(token)
    }

    /// The position in a token; `None` for the empty one, which begins at the beginning.
    ///
    /// # Errors
    /// BAD_TOKEN unless it was issued for the same filter.
    pub(super) fn read(&self, filter: &[u8; 32], token: &str) -> Result<Option<u64>, Status> {
        if token.is_empty() {
            return Ok(None);
        }
        let mut bytes = [0; LENGTH];
        let decoded = URL_SAFE_NO_PAD.decode_slice(token, &mut bytes);
        if !matches!(decoded, Ok(LENGTH)) || bytes[0] != VERSION {
            return Err(status::bad_token());
        }
        let (head, tag) = bytes.split_at(9);
        let position = head[1..]
            .iter()
            .fold(0, |n, &byte| n << 8 | u64::from(byte));
        match self.mac(filter, position).verify_truncated_left(tag) {
            Ok(()) => Ok(Some(position)),
            Err(_) => Err(status::bad_token()),
        }
    }

    fn mac(&self, filter: &[u8; 32], position: u64) -> Hmac<Sha256> {
        let mut mac =
            Hmac::<Sha256>::new_from_slice(&self.secret).expect("HMAC takes keys of any length");
        mac.update(&[VERSION]);
        mac.update(filter);
        mac.update(&position.to_be_bytes());
        mac
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILTER: [u8; 32] = [7; 32];

    #[test]
    fn a_token_says_its_position_to_the_same_request_only() {
        let tokens = PageTokens::new([1; 32]);
        let token = tokens.issue(&FILTER, 123_456_789_012);
        assert_eq!(
            tokens.read(&FILTER, &token).expect("its own"),
            Some(123_456_789_012)
        );
        assert!(tokens.read(&[8; 32], &token).is_err());
        assert!(PageTokens::new([2; 32]).read(&FILTER, &token).is_err());
        assert_eq!(tokens.read(&FILTER, "").expect("the first page"), None);
    }

    #[test]
    fn no_token_survives_a_change() {
        let tokens = PageTokens::new([1; 32]);
        let token = tokens.issue(&FILTER, 5);
        for at in 0..token.len() {
            let mut changed = token.clone().into_bytes();
            changed[at] = if changed[at] == b'A' { b'B' } else { b'A' };
            let changed = String::from_utf8(changed).expect("ASCII");
            assert!(tokens.read(&FILTER, &changed).is_err(), "{changed}");
        }
        for foreign in [
            "x",
            "not a token",
            &token[1..],
            &format!("{token}A"),
            &"A".repeat(10_000),
        ] {
            assert!(tokens.read(&FILTER, foreign).is_err(), "{foreign}");
        }
    }
}
