//! Lines of a text by number, and cutting a run of lines into balanced pieces.

use std::ops::Range;

/// Where each line begins. Lines end at LF only.
pub(super) struct Lines<'a> {
    text: &'a str,
    starts: Vec<usize>,
}

impl<'a> Lines<'a> {
    pub fn new(text: &'a str) -> Self {
        let mut starts = Vec::with_capacity(text.len() / 30 + 1);
        if !text.is_empty() {
            starts.push(0);
        }
        starts.extend(memchr::memchr_iter(b'\n', text.as_bytes()).map(|at| at + 1));
        if text.ends_with('\n') {
            starts.pop();
        }
        Self { text, starts }
    }

    pub const fn text(&self) -> &'a str {
        self.text
    }

    pub const fn count(&self) -> usize {
        self.starts.len()
    }

    /// Offset at which a line begins; the end of the text for the line behind the last.
    pub fn start(&self, line: usize) -> usize {
        self.starts.get(line).copied().unwrap_or(self.text.len())
    }

    /// Bytes of the lines, their line breaks included.
    pub fn size(&self, lines: &Range<usize>) -> usize {
        self.start(lines.end) - self.start(lines.start)
    }

    pub fn slice(&self, lines: &Range<usize>) -> &'a str {
        &self.text[self.start(lines.start)..self.start(lines.end)]
    }

    pub fn line(&self, line: usize) -> &'a str {
        self.slice(&(line..line + 1))
    }

    pub fn is_blank(&self, line: usize) -> bool {
        self.line(line).trim_ascii().is_empty()
    }

    /// The line that holds an offset.
    pub fn of(&self, offset: usize) -> usize {
        self.starts
            .partition_point(|start| *start <= offset)
            .saturating_sub(1)
    }

    /// Cuts lines into pieces of about `target` bytes, at blank lines and shallow indentation where
    /// there are any near. No piece is larger than `target`, except a single line that is.
    pub fn split(&self, lines: &Range<usize>, target: usize) -> Vec<Range<usize>> {
        let mut pieces = Vec::new();
        let mut start = lines.start;
        while start < lines.end {
            let left = self.size(&(start..lines.end));
            if left <= target {
                pieces.push(start..lines.end);
                break;
            }
            // Equal parts leave no crumb at the end.
            let parts = left.div_ceil(target);
            let ideal = left / parts;
            let end = self.best_break(start, lines.end, ideal, target);
            pieces.push(start..end);
            start = end;
        }
        pieces
    }

    /// The line before which to cut: at most `target` bytes from `start`, near `ideal` bytes.
    fn best_break(&self, start: usize, limit: usize, ideal: usize, target: usize) -> usize {
        let origin = self.start(start);
        let mut best = (start + 1, f64::MAX);
        for line in start + 1..limit {
            let size = self.start(line) - origin;
            if size > target {
                break;
            }
            if size * 2 < ideal {
                best.0 = line;
                continue;
            }
            let distance = size.abs_diff(ideal) as f64 / ideal.max(1) as f64;
            let cost = distance * 4.0 + self.break_cost(line);
            if cost < best.1 {
                best = (line, cost);
            }
        }
        best.0
    }

    /// How much is torn apart by cutting before a line: its indentation, less after a blank line.
    fn break_cost(&self, line: usize) -> f64 {
        let text = self.line(line);
        let indent = text
            .bytes()
            .take_while(|byte| matches!(byte, b' ' | b'\t'))
            .map(|byte| if byte == b'\t' { 4 } else { 1 });
        let indent = indent.sum::<usize>().min(24) as f64 / 4.0;
        let after_blank = line > 0 && self.is_blank(line - 1);
        let closes = text.trim_start().starts_with(['}', ')', ']']) || self.is_blank(line);
        indent + if closes { 2.0 } else { 0.0 } - if after_blank { 1.5 } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_counted_at_line_feeds() {
        for (text, count) in [("", 0), ("a", 1), ("a\n", 1), ("a\n\n", 2), ("a\r\nb", 2)] {
            assert_eq!(Lines::new(text).count(), count, "{text:?}");
        }
        let lines = Lines::new("ab\ncd\n");
        assert_eq!(
            (lines.of(0), lines.of(2), lines.of(3), lines.of(5)),
            (0, 0, 1, 1)
        );
    }

    #[test]
    fn pieces_are_balanced_and_prefer_blank_lines() {
        let block = "fn a() {\n    one();\n    two();\n}\n\n";
        let text = block.repeat(10);
        let lines = Lines::new(&text);
        let pieces = lines.split(&(0..lines.count()), 120);
        assert!(pieces.len() >= 3);
        for piece in &pieces {
            assert!(lines.size(piece) <= 120);
            assert!(lines.line(piece.start).starts_with("fn a"), "{piece:?}");
        }
    }
}
