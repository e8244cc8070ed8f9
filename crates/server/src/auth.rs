//! Who may talk to us: those who know the token. Everything that isn't on loopback needs one that was set explicitly.

use sha2::{Digest, Sha256};

/// The SHA-256 of a token: enough to check one, useless to whoever reads it in memory or in a log.
#[derive(Clone, PartialEq, Eq)]
pub struct TokenHash([u8; 32]);

impl TokenHash {
    pub fn of(token: &str) -> TokenHash {
        TokenHash(Sha256::digest(token.as_bytes()).into())
    }
}

impl std::fmt::Debug for TokenHash {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("TokenHash(…)")
    }
}
