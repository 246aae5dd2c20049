//! The index filter compiled for scans, shared by the engines that live in this process.
//!
//! Scopes and languages are interned to small numbers, so that a row's key takes 32 bytes and the
//! check of a row is a few table look-ups. The tables are computed once per query.

use std::collections::{HashMap, HashSet};

use crate::{
    domain::{
        BranchId, ChunkKind, FileClass, IndexFilter, OrganizationId, ProjectId, SnapshotId,
        TestFilter, View,
    },
    ports::DocumentKey,
};

/// What a scan needs to know of one row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct RowKey {
    pub born: SnapshotId,
    pub died: SnapshotId,
    /// Number of a [`Scope`].
    pub scope: u32,
    /// Number of a language; 0 for none.
    pub language: u32,
    pub kind: ChunkKind,
    pub class: FileClass,
}

/// A branch with the project and the organization that it was written for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Scope {
    pub organization_id: OrganizationId,
    pub project_id: ProjectId,
    pub branch_id: BranchId,
}

/// Numbers for scopes and languages. Numbers stay valid for ever; only distinct values take room.
#[derive(Debug, Default)]
pub(super) struct KeyInterner {
    scopes: Vec<Scope>,
    scope_numbers: HashMap<Scope, u32>,
    /// Number n stands for the language at n − 1; 0 for none.
    languages: Vec<String>,
    language_numbers: HashMap<String, u32>,
}

impl KeyInterner {
    pub(super) fn intern(&mut self, key: &DocumentKey) -> RowKey {
        let scope = Scope {
            organization_id: key.organization_id,
            project_id: key.project_id,
            branch_id: key.branch_id,
        };
        RowKey {
            born: key.born,
            died: key.died,
            scope: self.scope_number(scope),
            language: self.language_number(key.language.as_deref()),
            kind: key.kind,
            class: key.class,
        }
    }

    pub(super) fn scope_number(&mut self, scope: Scope) -> u32 {
        *self.scope_numbers.entry(scope).or_insert_with(|| {
            self.scopes.push(scope);
            number(self.scopes.len() - 1)
        })
    }

    pub(super) fn language_number(&mut self, language: Option<&str>) -> u32 {
        let Some(language) = language else {
            return 0;
        };
        if let Some(known) = self.language_numbers.get(language) {
            return *known;
        }
        self.languages.push(language.to_owned());
        let new = number(self.languages.len());
        self.language_numbers.insert(language.to_owned(), new);
        new
    }

    /// Whether the row belongs to the branch.
    pub(super) fn is_of_branch(&self, row: &RowKey, branch: BranchId) -> bool {
        self.scopes
            .get(row.scope as usize)
            .is_some_and(|scope| scope.branch_id == branch)
    }

    /// Prepares the filter for a scan over rows interned so far.
    pub(super) fn compile(&self, filter: &IndexFilter) -> RowFilter {
        let branches: HashSet<BranchId> = filter.branches.iter().copied().collect();
        let scopes: Vec<bool> = self
            .scopes
            .iter()
            .map(|scope| {
                scope.organization_id == filter.organization_id()
                    && filter.projects().binary_search(&scope.project_id).is_ok()
                    && branches.contains(&scope.branch_id)
            })
            .collect();
        let any_language = filter.languages.is_empty();
        let languages = [any_language]
            .into_iter()
            .chain(
                self.languages
                    .iter()
                    .map(|language| any_language || filter.languages.contains(language)),
            )
            .collect();
        let kinds = ChunkKind::ALL
            .iter()
            .filter(|kind| filter.kinds.is_empty() || filter.kinds.contains(kind))
            .fold(0, |kinds, kind| kinds | 1 << (*kind as u32));
        let classes = FileClass::ALL
            .iter()
            .filter(|class| match filter.tests {
                TestFilter::Include => true,
                TestFilter::Exclude => **class != FileClass::Test,
                TestFilter::Only => **class == FileClass::Test,
            })
            .fold(0, |classes, class| classes | 1 << (*class as u32));
        RowFilter {
            is_empty: !scopes.contains(&true),
            scopes,
            languages,
            kinds,
            classes,
            view: filter.view.clone(),
        }
    }
}

/// More than four thousand million branches do not fit the process either.
fn number(position: usize) -> u32 {
    u32::try_from(position).unwrap_or(u32::MAX)
}

/// A filter as tables.
#[derive(Debug)]
pub(super) struct RowFilter {
    is_empty: bool,
    scopes: Vec<bool>,
    languages: Vec<bool>,
    /// One bit per kind.
    kinds: u32,
    /// One bit per class.
    classes: u32,
    view: View,
}

impl RowFilter {
    /// Whether no row can pass.
    pub(super) const fn is_empty(&self) -> bool {
        self.is_empty
    }

    /// Whether the row passes. Rows interned after the filter was compiled do not.
    pub(super) fn shows(&self, row: &RowKey) -> bool {
        self.scopes.get(row.scope as usize) == Some(&true)
            && self.view.shows(row.born, row.died)
            && self.languages.get(row.language as usize) == Some(&true)
            && self.kinds & (1 << (row.kind as u32)) != 0
            && self.classes & (1 << (row.class as u32)) != 0
    }
}
