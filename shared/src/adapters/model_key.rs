//! Keys of embedding spaces from names that people chose.

/// Turns a name into `[a-z0-9_-]`: other characters become single dashes, long names are cut.
#[must_use]
pub fn slug(name: &str, max_characters: usize) -> String {
    let mut key = String::new();
    for character in name.chars() {
        let lowered = character.to_ascii_lowercase();
        if lowered.is_ascii_lowercase() || lowered.is_ascii_digit() || lowered == '_' {
            key.push(lowered);
        } else if !key.is_empty() && !key.ends_with('-') {
            key.push('-');
        }
        if key.len() >= max_characters {
            break;
        }
    }
    key.trim_end_matches('-').to_owned()
}

#[cfg(test)]
mod tests {
    use super::slug;

    #[test]
    fn names_become_plain_keys() {
        for (name, key) in [
            (
                "sentence-transformers/all-MiniLM-L6-v2",
                "sentence-transformers-all-minilm-l6-v2",
            ),
            ("text-embedding-3-small", "text-embedding-3-small"),
            ("  Qwen3:0.6b  ", "qwen3-0-6b"),
            ("名前", ""),
            ("abcdef", "abcd"),
        ] {
            let max = if name == "abcdef" { 4 } else { 80 };
            assert_eq!(slug(name, max), key, "{name}");
        }
    }
}
