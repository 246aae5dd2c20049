//! Dividing the lines of a file among chunks along its definitions.
//!
//! 1. A definition that is small enough is one piece, with everything inside it.
//! 2. A larger one is opened: its head, what lies between its members, and each member in turn.
//! 3. What is still too large is cut between lines.
//! 4. Small neighbours inside the same parent are joined.
//!
//! Every line ends up in exactly one piece.

use std::ops::Range;

use super::{
    lines::Lines,
    outline::{Definition, Outline},
};
use crate::domain::SymbolKind;

/// What a chunk should hold. Code rankers that cut along syntax have converged on about 1,500
/// characters: a screenful, and within the 512 tokens that small embedding models read.
pub(super) const TARGET_BYTES: usize = 1_500;
/// A function stays whole up to here, since half a function says less than half.
pub(super) const WHOLE_BYTES: usize = 2_000;
/// Smaller pieces are joined with their neighbours: an accessor alone is a poor search result. On
/// the development split, lexical nDCG@10 was .834 (80), .831 (150), .828 (200), .825 (300), .820
/// (700) and .819 (1,500), with 26, 22, 20, 18, 14 and 14 thousand chunks to store and embed.
pub(super) const JOIN_BELOW_BYTES: usize = 200;

/// What a piece is part of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    /// A whole definition.
    Whole(usize),
    /// The head of an opened definition, what lies between its members, or a cut of it.
    Inside(usize),
    /// Outside of every definition.
    Outside,
}

/// Lines that make one chunk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Piece {
    pub lines: Range<usize>,
    /// Of the largest part that was joined into it.
    pub part: Part,
    /// How much that largest part counts.
    weight: usize,
    /// Pieces are joined only inside the same parent.
    group: Option<usize>,
}

/// A definition with the lines it owns: comments and attributes above it included.
struct Unit {
    definition: usize,
    lines: Range<usize>,
    children: Vec<usize>,
}

/// Divides a file.
pub(super) fn divide(lines: &Lines<'_>, outline: &Outline) -> Vec<Piece> {
    let (units, roots) = units(lines, outline);
    let mut layout = Layout {
        lines,
        outline,
        units,
        pieces: Vec::new(),
    };
    layout.open(0..lines.count(), None, roots);
    join(lines, layout.pieces)
}

/// Chooses the definitions that may be chunks, gives them their lines, and links them as a tree.
fn units(lines: &Lines<'_>, outline: &Outline) -> (Vec<Unit>, Vec<usize>) {
    let mut units: Vec<Unit> = Vec::new();
    let mut roots: Vec<usize> = Vec::new();
    let mut unit_of: Vec<Option<usize>> = vec![None; outline.definitions.len()];
    for (index, definition) in outline.definitions.iter().enumerate() {
        let parent = definition.parent.and_then(|parent| unit_of[parent]);
        // What is inside something that is no unit counts as its parent's.
        unit_of[index] = parent;
        if !definition.is_chunkable() || definition.lines.end > lines.count() {
            continue;
        }
        let siblings = parent.map_or(&roots, |parent| &units[parent].children);
        let floor = match (siblings.last(), parent) {
            (Some(last), _) => units[*last].lines.end,
            (None, Some(parent)) => outline.definitions[units[parent].definition].lines.start + 1,
            (None, None) => 0,
        };
        if let Some(last) = siblings
            .last()
            .copied()
            .filter(|last| definition.lines.start < units[*last].lines.end)
        {
            // On a line with the one before: both are one unit.
            let end = units[last].lines.end.max(definition.lines.end);
            units[last].lines.end = end;
            unit_of[index] = Some(last);
            continue;
        }
        let end = parent.map_or(lines.count(), |parent| units[parent].lines.end);
        if definition.lines.start < floor || definition.lines.end > end {
            continue;
        }
        let start =
            with_leading_lines(lines, definition.lines.start, floor, &outline.leading_lines);
        let unit = units.len();
        units.push(Unit {
            definition: index,
            lines: start..definition.lines.end,
            children: Vec::new(),
        });
        match parent {
            Some(parent) => units[parent].children.push(unit),
            None => roots.push(unit),
        }
        unit_of[index] = Some(unit);
    }
    (units, roots)
}

/// Moves the start up over comments and attributes that touch it. A block comment may stand one
/// blank line above, as is the custom in some JavaScript.
fn with_leading_lines(lines: &Lines<'_>, start: usize, floor: usize, leading: &[usize]) -> usize {
    let mut at = leading.partition_point(|line| *line < start);
    let mut first = start;
    while let Some(above) = at
        .checked_sub(1)
        .map(|at| leading[at])
        .filter(|line| *line >= floor)
    {
        let touches = above + 1 == first;
        let is_block_above = above + 2 == start
            && first == start
            && lines.is_blank(above + 1)
            && lines.line(above).trim_end().ends_with("*/");
        if !touches && !is_block_above {
            break;
        }
        at -= 1;
        first = above;
    }
    first
}

struct Layout<'a> {
    lines: &'a Lines<'a>,
    outline: &'a Outline,
    units: Vec<Unit>,
    pieces: Vec<Piece>,
}

/// Lines that wait for being divided.
enum Task {
    Unit(usize),
    Between(Range<usize>, Option<usize>),
}

impl Layout<'_> {
    /// Divides lines with the given units in them, without recursion.
    fn open(&mut self, range: Range<usize>, owner: Option<usize>, children: Vec<usize>) {
        let mut tasks = self.tasks(range, owner, &children);
        tasks.reverse();
        while let Some(task) = tasks.pop() {
            match task {
                Task::Between(range, owner) => self.between(range, owner),
                Task::Unit(unit) => {
                    let size = self.lines.size(&self.units[unit].lines);
                    let children = std::mem::take(&mut self.units[unit].children);
                    let limit = self.whole_limit(unit);
                    if size <= limit {
                        self.push(
                            self.units[unit].lines.clone(),
                            Part::Whole(self.units[unit].definition),
                            self.parent(unit),
                        );
                        continue;
                    }
                    let mut inner =
                        self.tasks(self.units[unit].lines.clone(), Some(unit), &children);
                    inner.reverse();
                    tasks.append(&mut inner);
                }
            }
        }
    }

    fn whole_limit(&self, unit: usize) -> usize {
        match self.outline.definitions[self.units[unit].definition].kind {
            Some(SymbolKind::Function | SymbolKind::Method) => WHOLE_BYTES,
            _ => TARGET_BYTES,
        }
    }

    /// The units and the gaps around them, in order.
    fn tasks(&self, range: Range<usize>, owner: Option<usize>, children: &[usize]) -> Vec<Task> {
        let mut tasks = Vec::with_capacity(children.len() * 2 + 1);
        let mut at = range.start;
        for child in children {
            let lines = &self.units[*child].lines;
            if lines.start > at {
                tasks.push(Task::Between(at..lines.start, owner));
            }
            tasks.push(Task::Unit(*child));
            at = lines.end;
        }
        if range.end > at {
            tasks.push(Task::Between(at..range.end, owner));
        }
        tasks
    }

    fn parent(&self, unit: usize) -> Option<usize> {
        let mut parent = self.outline.definitions[self.units[unit].definition].parent;
        while let Some(index) = parent {
            let definition: &Definition = &self.outline.definitions[index];
            if definition.is_chunkable() {
                return Some(index);
            }
            parent = definition.parent;
        }
        None
    }

    /// Lines without a unit of their own.
    fn between(&mut self, range: Range<usize>, owner: Option<usize>) {
        let owner = owner.map(|unit| self.units[unit].definition);
        let part = owner.map_or(Part::Outside, Part::Inside);
        let first = range.clone().find(|line| !self.lines.is_blank(*line));
        let Some(first) = first else {
            return self.attach(range);
        };
        // Blank lines and closing brackets go with what they close.
        let mut start = range.start;
        if !self.pieces.is_empty() {
            let closers = range
                .clone()
                .take_while(|line| self.is_closing(*line))
                .count();
            if range.start + closers == range.end {
                return self.attach(range);
            }
            if first > start {
                self.attach(start..first);
                start = first;
            }
        }
        for lines in self.lines.split(&(start..range.end), TARGET_BYTES) {
            self.push(lines, part, owner);
        }
    }

    /// Adds lines to the piece before; lines at the start of the file wait for the first piece.
    fn attach(&mut self, range: Range<usize>) {
        match self.pieces.last_mut() {
            Some(last) => last.lines.end = range.end,
            None => self.push(range, Part::Outside, None),
        }
    }

    fn push(&mut self, lines: Range<usize>, part: Part, group: Option<usize>) {
        // Blank lines at the start of the file belong to what follows.
        let only_blank = self.pieces.len() == 1
            && self.pieces[0]
                .lines
                .clone()
                .all(|line| self.lines.is_blank(line));
        let start = if only_blank {
            self.pieces
                .pop()
                .map_or(lines.start, |piece| piece.lines.start)
        } else {
            lines.start
        };
        let lines = start..lines.end;
        // Names help more than the statements around them.
        let weight = self.lines.size(&lines) / if part == Part::Outside { 3 } else { 1 };
        self.pieces.push(Piece {
            lines,
            part,
            weight,
            group,
        });
    }

    fn is_closing(&self, line: usize) -> bool {
        let text = self.lines.line(line).trim();
        if text.is_empty() || matches!(text, "end" | "end;" | "end)" | "fi" | "done" | "esac") {
            return true;
        }
        // `} // namespace detail` closes too.
        let rest = text.trim_start_matches(['}', ')', ']', ';', ',']);
        rest.len() < text.len()
            && (rest.is_empty()
                || rest.trim_start().starts_with("//")
                || rest.trim_start().starts_with("/*"))
    }
}

/// Joins small pieces with their neighbours inside the same parent.
fn join(lines: &Lines<'_>, pieces: Vec<Piece>) -> Vec<Piece> {
    let mut joined: Vec<Piece> = Vec::with_capacity(pieces.len());
    for piece in pieces {
        if let Some(last) = joined.last_mut() {
            let sizes = (lines.size(&last.lines), lines.size(&piece.lines));
            let small = sizes.0 < JOIN_BELOW_BYTES || sizes.1 < JOIN_BELOW_BYTES;
            if last.group == piece.group && small && sizes.0 + sizes.1 <= TARGET_BYTES {
                last.lines.end = piece.lines.end;
                if piece.weight > last.weight {
                    last.weight = piece.weight;
                    last.part = piece.part;
                }
                continue;
            }
        }
        joined.push(piece);
    }
    joined
}
