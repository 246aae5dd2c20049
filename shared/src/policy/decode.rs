//! Bytes to text. What cannot be decoded with confidence is refused, never shown garbled.

use encoding_rs::{Encoding, UTF_16BE, UTF_16LE, WINDOWS_1252};

/// How a file's bytes were read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextEncoding {
    Utf8,
    /// UTF-8 with a byte order mark, which is not part of the text.
    Utf8WithMark,
    Utf16LittleEndian,
    Utf16BigEndian,
    /// No UTF-8, but ASCII with a few lone high bytes.
    Windows1252,
    /// UTF-8 with a few broken bytes, each shown as U+FFFD.
    Utf8Repaired,
}

/// Why bytes are not text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NotText {
    Binary,
    Encoding,
}

/// First bytes of well-known binary formats.
const SIGNATURES: &[&[u8]] = &[
    b"%PDF-",
    b"\x89PNG",
    b"GIF87a",
    b"GIF89a",
    b"\xff\xd8\xff",
    b"\x7fELF",
    b"PK\x03\x04",
    b"PK\x05\x06",
    b"\x1f\x8b",
    b"BZh9",
    b"\xfd7zXZ",
    b"7z\xbc\xaf",
    b"\xca\xfe\xba\xbe",
    b"MZ\x90\x00",
    b"SQLite format 3\x00",
    b"\x00asm",
    b"OggS",
    b"wOFF",
    b"wOF2",
    b"\xcf\xfa\xed\xfe",
];

/// Decodes a file's bytes.
pub(super) fn decode(bytes: &[u8]) -> Result<(String, TextEncoding), NotText> {
    if SIGNATURES
        .iter()
        .any(|signature| bytes.starts_with(signature))
    {
        return Err(NotText::Binary);
    }
    if let Some(rest) = bytes.strip_prefix(b"\xef\xbb\xbf") {
        let text = std::str::from_utf8(rest).map_err(|_| NotText::Encoding)?;
        return checked(text.to_owned(), TextEncoding::Utf8WithMark);
    }
    if let Some(rest) = bytes.strip_prefix(b"\xff\xfe") {
        return marked(rest, UTF_16LE, TextEncoding::Utf16LittleEndian);
    }
    if let Some(rest) = bytes.strip_prefix(b"\xfe\xff") {
        return marked(rest, UTF_16BE, TextEncoding::Utf16BigEndian);
    }
    if let Ok(text) = std::str::from_utf8(bytes) {
        return checked(text.to_owned(), TextEncoding::Utf8);
    }
    if has_many_controls(bytes) {
        return Err(NotText::Binary);
    }
    let counts = HighBytes::count(bytes);
    if counts.look_like_damaged_utf8() {
        return Ok((
            String::from_utf8_lossy(bytes).into_owned(),
            TextEncoding::Utf8Repaired,
        ));
    }
    if counts.look_like_windows_1252(bytes.len()) {
        let (text, _) = WINDOWS_1252.decode_without_bom_handling(bytes);
        return Ok((text.into_owned(), TextEncoding::Windows1252));
    }
    Err(NotText::Encoding)
}

fn marked(
    bytes: &[u8],
    encoding: &'static Encoding,
    name: TextEncoding,
) -> Result<(String, TextEncoding), NotText> {
    let (text, broken) = encoding.decode_without_bom_handling(bytes);
    if broken {
        return Err(NotText::Encoding);
    }
    checked(text.into_owned(), name)
}

fn checked(text: String, encoding: TextEncoding) -> Result<(String, TextEncoding), NotText> {
    if has_many_controls(text.as_bytes()) {
        return Err(NotText::Binary);
    }
    Ok((text, encoding))
}

/// More control bytes than a text with an odd literal has: a few in all, or one in a hundred.
/// Tab, line ends, form feed, backspace and escape (terminal recordings) are not counted.
fn has_many_controls(bytes: &[u8]) -> bool {
    let controls = bytes
        .iter()
        .filter(|byte| matches!(**byte, 0..=7 | 11 | 14..=26 | 28..=31 | 127))
        .count();
    controls > 2 && controls * 100 > bytes.len()
}

/// What the bytes above ASCII look like.
#[derive(Default)]
struct HighBytes {
    high: usize,
    /// In runs of three and more: multi-byte encodings and other alphabets.
    in_long_runs: usize,
    /// Windows-1252 leaves them undefined or uses them for what source never holds.
    odd: usize,
    valid_sequences: usize,
    invalid: usize,
}

impl HighBytes {
    fn count(bytes: &[u8]) -> Self {
        let mut counts = Self::default();
        let mut run = 0;
        for byte in bytes {
            if *byte < 0x80 {
                counts.end_run(run);
                run = 0;
                continue;
            }
            run += 1;
            counts.high += 1;
            // Euro sign, ellipsis, quotes, bullet, dashes and trade mark are what editors wrote.
            if *byte < 0xA0 && !matches!(*byte, 0x80 | 0x85 | 0x91..=0x97 | 0x99) {
                counts.odd += 1;
            }
        }
        counts.end_run(run);
        for piece in bytes.utf8_chunks() {
            counts.valid_sequences += piece.valid().chars().filter(|c| !c.is_ascii()).count();
            counts.invalid += piece.invalid().len();
        }
        counts
    }

    const fn end_run(&mut self, run: usize) {
        if run >= 3 {
            self.in_long_runs += run;
        }
    }

    const fn look_like_damaged_utf8(&self) -> bool {
        self.valid_sequences >= 10 * self.invalid
    }

    /// Few high bytes, nearly all of them alone between ASCII letters.
    const fn look_like_windows_1252(&self, length: usize) -> bool {
        self.high * 10 <= length && self.odd * 10 <= self.high && self.in_long_runs * 5 <= self.high
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_read_and_are_not_part_of_the_text() {
        let utf16: Vec<u8> = [0xff, 0xfe]
            .into_iter()
            .chain("int Magic;\n".encode_utf16().flat_map(u16::to_le_bytes))
            .collect();
        for (bytes, text, encoding) in [
            (
                &b"\xef\xbb\xbfexport\n"[..],
                "export\n",
                TextEncoding::Utf8WithMark,
            ),
            (&utf16, "int Magic;\n", TextEncoding::Utf16LittleEndian),
            (b"\xfe\xff\x00a\x00\n", "a\n", TextEncoding::Utf16BigEndian),
            ("grüße\n".as_bytes(), "grüße\n", TextEncoding::Utf8),
        ] {
            assert_eq!(decode(bytes).unwrap(), (text.to_owned(), encoding));
        }
    }

    #[test]
    fn a_lone_high_byte_is_windows_1252_and_other_encodings_are_refused() {
        let latin = b"# remise accord\xe9e au client\ndef compute_rebate():\n    return 1\n";
        let (text, encoding) = decode(latin).unwrap();
        assert_eq!(encoding, TextEncoding::Windows1252);
        assert!(text.starts_with("# remise accordée au client\n"));

        let shift_jis =
            b"\x92\x8d\x95\xb6\x82\xf0\x8c\x9f\x8d\xf5\x82\xb7\x82\xe9 shift_jis_marker\n";
        assert_eq!(decode(shift_jis), Err(NotText::Encoding));
        // A long program with one short comment in Shift-JIS is no more certain.
        let mut sparse = b"x = 1\n".repeat(200);
        sparse.extend_from_slice(b"# \x82\xb1\x82\xea\x82\xcd\n");
        assert_eq!(decode(&sparse), Err(NotText::Encoding));
        let noise: Vec<u8> = (0..4096_u32)
            .map(|at| ((at * 37 + 11) % 256) as u8)
            .collect();
        assert_eq!(decode(&noise), Err(NotText::Binary));
        assert_eq!(decode(b"\xff\xfea"), Err(NotText::Encoding));
    }

    #[test]
    fn damaged_utf8_keeps_its_good_characters() {
        let mut bytes = "über größe äöü straße ñandú élan\n".repeat(3).into_bytes();
        bytes.extend_from_slice(b"bad \xe9 byte\n");
        let (text, encoding) = decode(&bytes).unwrap();
        assert_eq!(encoding, TextEncoding::Utf8Repaired);
        assert!(text.contains("größe") && text.contains("bad \u{fffd} byte"));
    }

    #[test]
    fn many_nul_bytes_are_binary_and_one_is_not() {
        assert_eq!(decode(&b"\x00\x01\x02".repeat(50)), Err(NotText::Binary));
        assert_eq!(decode(b"%PDF-1.7\nplain"), Err(NotText::Binary));
        assert!(decode(b"const SEP = '\x00';\n").is_ok());
    }
}
