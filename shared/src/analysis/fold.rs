//! Unicode folding: one spelling for text that looks or reads the same.

use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};

/// Compatibility-composed form (NFKC) with the accents of Latin, Greek and Cyrillic letters
/// removed, so that `Überweisung`, its decomposed spelling and `Uberweisung` are one word. Case is
/// kept, since it shows where an identifier splits.
pub(super) fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    let kept = text.nfkd().filter(|c| !is_accent(*c));
    for c in kept.nfc() {
        match expansion(c) {
            Some(letters) => folded.push_str(letters),
            None => folded.push(c),
        }
    }
    folded
}

/// The lower case of a folded character. One character in nearly every case.
pub(super) fn push_lower(c: char, lower: &mut String) {
    // The accent of the two letters whose lower case has one is dropped as well.
    lower.extend(c.to_lowercase().filter(|c| !is_accent(*c)));
}

/// Whether a character can be part of a word.
pub(super) fn is_word(c: char) -> bool {
    c == '_' || c.is_alphanumeric() || is_combining_mark(c)
}

/// Whether the script writes without spaces, so that words are found by single characters and
/// pairs: Chinese, Japanese, Korean, Thai, Lao, Khmer, Burmese.
pub(super) fn is_unspaced(c: char) -> bool {
    matches!(u32::from(c),
        0x0E00..=0x0EFF | 0x1000..=0x109F | 0x1100..=0x11FF | 0x1780..=0x17FF
        | 0x3005..=0x3007 | 0x3040..=0x30FF | 0x3100..=0x318F | 0x31F0..=0x31FF
        | 0x3400..=0x4DBF | 0x4E00..=0x9FFF | 0xA960..=0xA97F | 0xAC00..=0xD7FF
        | 0xF900..=0xFAFF | 0x20000..=0x323AF)
}

/// Combining accents; the marks of other scripts carry meaning and stay.
fn is_accent(c: char) -> bool {
    matches!(u32::from(c), 0x0300..=0x036F)
}

/// Letters without a decomposition that people type in plain Latin.
fn expansion(c: char) -> Option<&'static str> {
    Some(match c {
        'ß' => "ss",
        'ẞ' => "SS",
        'æ' => "ae",
        'Æ' => "AE",
        'œ' => "oe",
        'Œ' => "OE",
        'ø' => "o",
        'Ø' => "O",
        'ł' => "l",
        'Ł' => "L",
        'đ' => "d",
        'Đ' => "D",
        'ı' => "i",
        'ς' => "σ",
        _ => return None,
    })
}
