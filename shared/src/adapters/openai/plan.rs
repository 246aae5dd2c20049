//! Cutting a batch into requests, and refused requests into smaller ones.

/// A text of a request, with its place in the caller's batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Piece<'text> {
    pub index: usize,
    pub text: &'text str,
    halvings: u32,
}

/// Bounds of one request.
#[derive(Debug, Clone, Copy)]
pub(super) struct RequestLimits {
    pub inputs: usize,
    pub bytes: usize,
}

/// A refused text is halved so often before it is given up: an eighth of it is sent at last.
const MAX_HALVINGS: u32 = 3;
/// A refused text below this is refused for another reason than its length.
const MIN_BYTES_TO_HALVE: usize = 512;

impl<'text> Piece<'text> {
    pub(super) const fn new(index: usize, text: &'text str) -> Self {
        Self {
            index,
            text,
            halvings: 0,
        }
    }
}

/// Requests in order, none over the limits except for a single text that is.
pub(super) fn group<'text>(
    pieces: impl Iterator<Item = Piece<'text>>,
    limits: RequestLimits,
) -> Vec<Vec<Piece<'text>>> {
    let mut groups = Vec::new();
    let mut current = Vec::new();
    let mut bytes = 0;
    for piece in pieces {
        let full = current.len() >= limits.inputs || bytes + piece.text.len() > limits.bytes;
        if full && !current.is_empty() {
            groups.push(std::mem::take(&mut current));
            bytes = 0;
        }
        bytes += piece.text.len();
        current.push(piece);
    }
    if !current.is_empty() {
        groups.push(current);
    }
    groups
}

/// What to send instead of a refused group: its halves, or its only text shortened. The error is
/// the index of a text that has to be given up.
pub(super) fn cut(mut group: Vec<Piece<'_>>) -> Result<Vec<Vec<Piece<'_>>>, usize> {
    if group.len() > 1 {
        let second = group.split_off(group.len() / 2);
        return Ok(vec![second, group]);
    }
    let Some(piece) = group.pop() else {
        return Ok(Vec::new());
    };
    if piece.halvings >= MAX_HALVINGS || piece.text.len() < MIN_BYTES_TO_HALVE {
        return Err(piece.index);
    }
    let half = &piece.text[..piece.text.floor_char_boundary(piece.text.len() / 2)];
    if half.trim().is_empty() {
        return Err(piece.index);
    }
    Ok(vec![vec![Piece {
        text: half,
        halvings: piece.halvings + 1,
        ..piece
    }]])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sizes(groups: &[Vec<Piece<'_>>]) -> Vec<usize> {
        groups.iter().map(Vec::len).collect()
    }

    #[test]
    fn requests_keep_both_limits_and_the_order() {
        let texts = ["aaaa", "bb", "c", "dddddddddddd", "e", "f", "g", "h"];
        let limits = RequestLimits {
            inputs: 3,
            bytes: 6,
        };
        let pieces = texts
            .iter()
            .enumerate()
            .map(|(index, text)| Piece::new(index, text));
        let groups = group(pieces, limits);
        assert_eq!(sizes(&groups), [2, 1, 1, 3, 1]);
        let order: Vec<usize> = groups.iter().flatten().map(|piece| piece.index).collect();
        assert_eq!(order, [0, 1, 2, 3, 4, 5, 6, 7]);
        assert!(group(std::iter::empty(), limits).is_empty());
    }

    #[test]
    fn refused_groups_shrink_to_a_text_that_is_given_up() {
        let long = "ä".repeat(3_000);
        let pieces = vec![Piece::new(4, &long), Piece::new(7, "short")];
        let mut halves = cut(pieces).unwrap_or_default();
        assert_eq!(sizes(&halves), [1, 1]);
        let mut group = halves.pop().unwrap_or_default();
        let mut sent = Vec::new();
        while let Ok(mut smaller) = cut(group.clone()) {
            group = smaller.pop().unwrap_or_default();
            sent.push(group[0].text.len());
        }
        assert_eq!(sent, [3_000, 1_500, 750]);
        assert_eq!(cut(group), Err(4));
        assert_eq!(cut(halves.remove(0)), Err(7));
    }
}
