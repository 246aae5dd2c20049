//! The hash under which words are stored in term vectors.

/// The stable 32-bit hash of a word: FNV-1a over its UTF-8 bytes in 64 bits, upper half xor lower
/// half. Stored in SQL, so it may never change without a new format version.
#[must_use]
pub fn term_hash(word: &str) -> u32 {
    let mut state = 0xcbf2_9ce4_8422_2325_u64;
    for byte in word.bytes() {
        state = (state ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    }
    #[expect(clippy::cast_possible_truncation, reason = "folding is the point")]
    let folded = (state ^ (state >> 32)) as u32;
    folded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_stable_across_versions() {
        for (word, hash) in [
            ("", 0x4fd0_bfc1),
            ("a", 0x2962_30c0),
            ("get_user", 0xe4c2_aed0),
        ] {
            assert_eq!(term_hash(word), hash, "{word}: {:#x}", term_hash(word));
        }
    }
}
