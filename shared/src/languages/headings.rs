//! Prose by headings: Markdown, reStructuredText, AsciiDoc.

use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag, TagEnd};

use super::lines::Lines;

/// A heading on a line, counted from 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Heading {
    pub line: usize,
    /// 1 is the highest.
    pub level: usize,
    pub title: String,
}

/// Longest title that is kept, in characters.
const MAX_TITLE: usize = 200;

/// Headings of a Markdown text; what looks like one inside a code block is none.
pub(super) fn markdown(lines: &Lines<'_>) -> Vec<Heading> {
    let options = Options::ENABLE_YAML_STYLE_METADATA_BLOCKS | Options::ENABLE_TABLES;
    let mut headings = Vec::new();
    let mut open: Option<Heading> = None;
    for (event, range) in Parser::new_ext(lines.text(), options).into_offset_iter() {
        match event {
            Event::Start(Tag::Heading { level, .. }) => {
                open = Some(Heading {
                    line: lines.of(range.start),
                    level: number(level),
                    title: String::new(),
                });
            }
            Event::Text(text) | Event::Code(text) => {
                if let Some(heading) = &mut open {
                    heading.title.push_str(&text);
                }
            }
            Event::End(TagEnd::Heading(_)) => headings.extend(open.take()),
            _ => {}
        }
    }
    for heading in &mut headings {
        heading.title = super::grammar::one_line(&heading.title, MAX_TITLE);
    }
    headings.retain(|heading| !heading.title.is_empty());
    headings
}

const fn number(level: HeadingLevel) -> usize {
    level as usize
}

/// Headings that are underlined, or marked by `=` at the start of the line.
pub(super) fn marked(lines: &Lines<'_>) -> Vec<Heading> {
    let mut marks: Vec<u8> = Vec::new();
    let mut headings = Vec::new();
    for line in 0..lines.count() {
        let text = lines.line(line).trim_end();
        let equals = text.bytes().take_while(|byte| *byte == b'=').count();
        if (1..=6).contains(&equals) && text.as_bytes().get(equals) == Some(&b' ') {
            let title = text[equals..].trim().to_owned();
            headings.push(Heading {
                line,
                level: equals,
                title,
            });
            continue;
        }
        let Some(mark) = underline(text).filter(|_| line > 0) else {
            continue;
        };
        let title = lines.line(line - 1).trim();
        let fits = title.chars().count() <= text.chars().count() && underline(title).is_none();
        if title.is_empty() || !fits {
            continue;
        }
        // In reStructuredText the order of first use decides the level.
        let level = marks
            .iter()
            .position(|known| *known == mark)
            .unwrap_or_else(|| {
                marks.push(mark);
                marks.len() - 1
            });
        headings.push(Heading {
            line: line - 1,
            level: level + 1,
            title: super::grammar::one_line(title, MAX_TITLE),
        });
    }
    headings
}

/// The mark of a line that consists of one mark only.
fn underline(line: &str) -> Option<u8> {
    let first = *line.as_bytes().first()?;
    let is_mark = matches!(
        first,
        b'=' | b'-' | b'~' | b'^' | b'"' | b'*' | b'+' | b'#' | b'\'' | b'`'
    );
    (is_mark && line.len() >= 3 && line.bytes().all(|byte| byte == first)).then_some(first)
}
