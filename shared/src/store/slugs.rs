//! Short names for addresses, made from the names that people give.

/// Longest slug without a number behind it.
const MAX_LENGTH: usize = 60;

/// Lower-case ASCII letters, digits and single dashes; `fallback` when nothing of that is left.
#[must_use]
pub fn slug(name: &str, fallback: &str) -> String {
    let mut slug = String::new();
    for character in name.chars().flat_map(char::to_lowercase) {
        if character.is_ascii_alphanumeric() {
            slug.push(character);
        } else if !slug.is_empty() && !slug.ends_with('-') {
            slug.push('-');
        }
        if slug.len() >= MAX_LENGTH {
            break;
        }
    }
    let slug = slug.trim_end_matches('-');
    if slug.is_empty() { fallback } else { slug }.to_owned()
}

/// The slug, or the first of `slug-2`, `slug-3`, … that is not in `taken`.
#[must_use]
pub fn free_slug(slug: &str, taken: &[String]) -> String {
    let mut candidate = slug.to_owned();
    let mut number = 1_u64;
    while taken.contains(&candidate) {
        number += 1;
        candidate = format!("{slug}-{number}");
    }
    candidate
}

#[cfg(test)]
mod tests {
    use super::{free_slug, slug};

    #[test]
    fn names_become_slugs() {
        for (name, expected) in [
            ("Acme Corp.", "acme-corp"),
            ("  --  ", "thing"),
            ("日本", "thing"),
            ("a'; DROP TABLE users;--", "a-drop-table-users"),
            ("X--Y__Z", "x-y-z"),
        ] {
            assert_eq!(slug(name, "thing"), expected);
        }
        assert!(slug(&"a".repeat(500), "thing").len() <= 60);
    }

    #[test]
    fn a_taken_slug_gets_the_first_free_number() {
        let taken = ["a".to_owned(), "a-2".to_owned()];
        assert_eq!(free_slug("a", &taken), "a-3");
        assert_eq!(free_slug("b", &taken), "b");
    }
}
