//! One page of a list, in the order of the rows' identifiers.

/// Where a page begins and how long it may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Page<Id> {
    /// The last identifier of the page before; `None` begins at the start.
    pub after: Option<Id>,
    /// Most rows on the page.
    pub limit: u64,
}

/// Rows, and where the next page begins when there is one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Paged<T, Id> {
    pub items: Vec<T>,
    pub next: Option<Id>,
}

impl<T, Id> Paged<T, Id> {
    /// From `limit + 1` fetched rows: the extra one only tells that there is more.
    pub fn from_rows(mut items: Vec<T>, limit: u64, id: impl Fn(&T) -> Id) -> Self {
        let limit = usize::try_from(limit).unwrap_or(usize::MAX);
        let has_more = items.len() > limit;
        items.truncate(limit);
        let next = items.last().map(id).filter(|_| has_more);
        Self { items, next }
    }
}
