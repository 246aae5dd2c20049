//! Looking up definitions by simple or qualified name.

use std::{cmp::Reverse, collections::HashMap};

use super::{RetrievalError, SymbolHit, SymbolQuery};
use crate::{
    domain::{BranchId, FileClass, IndexFilter, ReadScope, SymbolKind},
    store::{
        Database,
        symbol_search::{self, NameParts, SymbolLookup, SymbolRow},
        views::{self, SearchedBranch},
    },
};

const DEFAULT_LIMIT: usize = 50;
const MAX_LIMIT: usize = 200;
/// Rows that are ordered here; the store already puts the likeliest first.
const MOST_ROWS: u64 = 2_000;
/// No name is longer.
const MOST_BYTES: usize = 1_000;

/// Definitions with the name: the same letter case first, then source before anything else, then
/// by kind, repository, path and line.
///
/// # Errors
/// [`RetrievalError::EmptyQuery`] without a name, [`RetrievalError::QueryTooLong`] for more than a
/// name, [`RetrievalError::Store`] when a named snapshot or commit is not in the scope, or the
/// database fails.
pub(crate) async fn find_symbols(
    db: &Database,
    scope: &ReadScope,
    query: &SymbolQuery,
) -> Result<Vec<SymbolHit>, RetrievalError> {
    let asked = AskedName::parse(&query.name, query.prefix)?;
    let current = views::current(db.reader(), scope, &query.view).await?;
    let branches = current.branches.iter().map(|branch| branch.branch_id);
    let filter = IndexFilter::new(scope, branches.collect(), current.view.clone());
    let lookup = SymbolLookup {
        names: asked.lookups(),
        prefix: query.prefix,
        kind: query.kind,
    };
    let mut rows = symbol_search::find(db.reader(), &filter, &lookup, MOST_ROWS).await?;
    rows.retain(|row| asked.accepts(row));
    let places: HashMap<BranchId, (usize, &SearchedBranch)> = current
        .branches
        .iter()
        .enumerate()
        .map(|(place, branch)| (branch.branch_id, (place, branch)))
        .collect();
    rows.sort_by_cached_key(|row| {
        let place = places.get(&row.branch_id).map(|(place, _)| *place);
        let path = row.path.clone();
        (asked.order(row), place, path, row.span, row.name.clone())
    });
    let limit = match query.limit {
        0 => DEFAULT_LIMIT,
        wanted => wanted.min(MAX_LIMIT),
    };
    let hit = |row: SymbolRow| Some(symbol_hit(places.get(&row.branch_id)?.1, row));
    Ok(rows.into_iter().filter_map(hit).take(limit).collect())
}

/// A name as it was asked for.
struct AskedName {
    /// As it was written: names of headings and operators hold separators of their own.
    whole: String,
    /// The parts between separators; the last is the name itself.
    parts: Vec<String>,
    prefix: bool,
}

impl AskedName {
    fn parse(text: &str, prefix: bool) -> Result<Self, RetrievalError> {
        if text.len() > MOST_BYTES {
            return Err(RetrievalError::QueryTooLong {
                bytes: text.len(),
                limit: MOST_BYTES,
            });
        }
        let text = text.trim();
        let whole = text.strip_suffix("()").unwrap_or(text).to_owned();
        if whole.is_empty() {
            return Err(RetrievalError::EmptyQuery);
        }
        let parts = parts(&whole).map(str::to_owned).collect();
        Ok(Self {
            whole,
            parts,
            prefix,
        })
    }

    fn name(&self) -> &str {
        self.parts.last().unwrap_or(&self.whole)
    }

    fn qualifiers(&self) -> &[String] {
        self.parts.split_last().map_or(&[], |(_, before)| before)
    }

    fn lookups(&self) -> Vec<NameParts> {
        let mut lookups = vec![NameParts {
            name: self.whole.clone(),
            qualifiers: Vec::new(),
        }];
        if self.name() != self.whole {
            lookups.push(NameParts {
                name: self.name().to_owned(),
                qualifiers: self.qualifiers().to_vec(),
            });
        }
        lookups
    }

    fn accepts(&self, row: &SymbolRow) -> bool {
        if self.is_named(&row.name, &self.whole) {
            return true;
        }
        let before = row.qualified_name.strip_suffix(&row.name).unwrap_or("");
        let before: Vec<String> = parts(before).map(str::to_lowercase).collect();
        let wanted: Vec<String> = self.qualifiers().iter().map(|p| p.to_lowercase()).collect();
        self.is_named(&row.name, self.name()) && before.ends_with(&wanted)
    }

    fn is_named(&self, name: &str, asked: &str) -> bool {
        let (name, asked) = (name.to_lowercase(), asked.to_lowercase());
        name == asked || self.prefix && name.starts_with(&asked)
    }

    /// Smaller is better.
    fn order(&self, row: &SymbolRow) -> impl Ord + use<> {
        let is_whole = |asked: &str| row.name.to_lowercase() == asked.to_lowercase();
        let complete = is_whole(self.name()) || is_whole(&self.whole);
        let same_case = row.name.starts_with(self.name()) || row.name.starts_with(&self.whole);
        let same_qualifiers = self
            .qualifiers()
            .iter()
            .all(|part| row.qualified_name.contains(part.as_str()));
        (
            Reverse(complete),
            Reverse(same_case),
            Reverse(same_qualifiers),
            class_order(row.class),
            kind_order(row.kind),
        )
    }
}

/// The parts of a qualified name in any language's spelling.
fn parts(name: &str) -> impl Iterator<Item = &str> {
    name.split(['.', ':', '#', '/', '\\', '>'])
        .map(|part| part.trim().trim_end_matches('-'))
        .filter(|part| !part.is_empty())
}

const fn class_order(class: FileClass) -> u8 {
    match class {
        FileClass::Source => 0,
        FileClass::Declaration => 1,
        FileClass::Reexport | FileClass::Legacy => 2,
        FileClass::Example | FileClass::Support | FileClass::Documentation => 3,
        FileClass::Test => 4,
        FileClass::Generated => 5,
    }
}

/// What a reader most likely means by a name comes first.
const fn kind_order(kind: SymbolKind) -> u8 {
    match kind {
        SymbolKind::Class
        | SymbolKind::Struct
        | SymbolKind::Interface
        | SymbolKind::Trait
        | SymbolKind::Enum
        | SymbolKind::TypeAlias => 0,
        SymbolKind::Function => 1,
        SymbolKind::Method => 2,
        SymbolKind::Macro => 3,
        SymbolKind::Constant => 4,
        SymbolKind::Module => 5,
        SymbolKind::Variable => 6,
        SymbolKind::Field => 7,
        SymbolKind::EnumMember => 8,
        SymbolKind::Heading => 9,
    }
}

fn symbol_hit(branch: &SearchedBranch, row: SymbolRow) -> SymbolHit {
    SymbolHit {
        name: row.name,
        qualified_name: row.qualified_name,
        kind: row.kind,
        signature: row.signature,
        repository_id: branch.repository_id,
        repository_name: branch.repository_name.clone(),
        branch: branch.branch.clone(),
        commit: branch.commit.clone(),
        path: row.path,
        language: row.language,
        start_line: row.span.start,
        end_line: row.span.end,
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::{
        domain::Kinded,
        retrieval::test_world::{Place, World},
    };

    async fn names(world: &World, place: Place, name: &str, prefix: bool) -> Vec<String> {
        let query = SymbolQuery {
            name: name.to_owned(),
            prefix,
            ..SymbolQuery::default()
        };
        let hits = find_symbols(&world.database, &place.scope(), &query)
            .await
            .unwrap();
        hits.into_iter()
            .map(|hit| format!("{}:{}", hit.path, hit.qualified_name))
            .collect()
    }

    async fn filled() -> (World, Place) {
        use SymbolKind::{Class, Function, Heading, Method};
        let world = World::start().await;
        let place = world.single().await;
        let source = world.file(place, "src/cache.rs", "").await;
        let tests = world.file(place, "tests/cache.rs", "").await;
        let gone = world.file_between(place, "src/old.rs", "", (1, 1)).await;
        let foreign = world.single_at(2).await;
        let foreign = world.file(foreign, "src/foreign.rs", "").await;
        for (file, qualified_name, name, kind) in [
            (&tests, "insert", "insert", Function),
            (&source, "Store.Cache.insert", "insert", Method),
            (&source, "Tree.insert", "insert", Method),
            (&source, "Insert", "Insert", Class),
            (&source, "insert_all", "insert_all", Function),
            (&source, "Guide > v1.2 notes", "v1.2 notes", Heading),
            (&source, "a%b_c", "a%b_c", Function),
            (&source, "Größe.lesen", "lesen", Method),
            (&gone, "Cache.insert", "insert", Method),
            (&foreign, "Cache.insert", "insert", Method),
        ] {
            world.symbol(file, qualified_name, name, kind).await;
        }
        (world, place)
    }

    #[tokio::test]
    async fn names_are_found_in_every_spelling_and_in_order() {
        let (world, place) = filled().await;
        let cache = "src/cache.rs:Store.Cache.insert";
        let tree = "src/cache.rs:Tree.insert";
        let class = "src/cache.rs:Insert";
        let test = "tests/cache.rs:insert";
        let insert_all = "src/cache.rs:insert_all";
        for (name, prefix, wanted) in [
            ("insert", false, vec![cache, tree, test, class]),
            ("Insert", false, vec![class, cache, tree, test]),
            (" insert() ", false, vec![cache, tree, test, class]),
            ("Cache.insert", false, vec![cache]),
            ("cache::insert", false, vec![cache]),
            ("Cache->insert", false, vec![cache]),
            ("store/cache#insert", false, vec![cache]),
            ("Store.insert", false, vec![]),
            ("ache.insert", false, vec![]),
            ("Größe.lesen", false, vec!["src/cache.rs:Größe.lesen"]),
            ("grösse.lesen", false, vec![]),
            ("v1.2 notes", false, vec!["src/cache.rs:Guide > v1.2 notes"]),
            ("inser", false, vec![]),
            ("inser", true, vec![insert_all, cache, tree, test, class]),
            ("insert", true, vec![cache, tree, test, class, insert_all]),
            ("cache.ins", true, vec![cache]),
            ("a%b_", true, vec!["src/cache.rs:a%b_c"]),
            ("%", true, vec![]),
            ("a%b.c", false, vec![]),
            ("' OR 1=1 --", false, vec![]),
            ("::", false, vec![]),
        ] {
            let found = names(&world, place, name, prefix).await;
            assert_eq!(found, wanted, "{name} {prefix}");
        }
    }

    #[tokio::test]
    async fn kinds_and_limits_narrow_and_no_name_is_refused() {
        let (world, place) = filled().await;
        let ask = |name: &str, kind, limit| SymbolQuery {
            name: name.to_owned(),
            kind,
            limit,
            ..SymbolQuery::default()
        };
        let scope = place.scope();
        for (kind, limit, wanted) in [
            (Some(SymbolKind::Method), 0, 2),
            (Some(SymbolKind::Macro), 0, 0),
            (None, 3, 3),
            (None, usize::MAX, 4),
        ] {
            let query = ask("insert", kind, limit);
            let hits = find_symbols(&world.database, &scope, &query).await.unwrap();
            assert_eq!(hits.len(), wanted, "{query:?}");
        }
        let long = "x".repeat(2_000);
        for (name, code) in [
            ("", "empty_query"),
            (" () ", "empty_query"),
            (&long, "query_too_long"),
        ] {
            let query = ask(name, None, 0);
            let error = find_symbols(&world.database, &scope, &query).await;
            assert_eq!(error.unwrap_err().code(), code);
        }
    }
}
