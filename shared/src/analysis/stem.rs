//! Light English stemming with a small cache per thread, since code repeats its words.

use std::cell::Cell;

use rust_stemmers::{Algorithm, Stemmer};

use super::term_hash;

/// Shorter words are kept: `ids`, `bus`, `is` lose more than they gain.
const MIN_STEMMED_BYTES: usize = 4;

/// Longer words are wholes of joined identifiers, whose ending is no English ending.
const MAX_STEMMED_BYTES: usize = 24;

/// Slots of the cache, a power of two: about the vocabulary of a large repository.
const CACHE_SLOTS: usize = 1 << 14;

thread_local! {
    static STEMS: Cell<Option<Stems>> = const { Cell::new(None) };
}

/// Runs `work` with this thread's stems. May be nested; the inner run starts with an empty cache.
pub(super) fn with_stems<R>(work: impl FnOnce(&mut Stems) -> R) -> R {
    let mut stems = STEMS.take().unwrap_or_else(Stems::new);
    let result = work(&mut stems);
    STEMS.set(Some(stems));
    result
}

/// A stemmer with a cache in which a new word displaces the one in its slot.
pub(super) struct Stems {
    stemmer: Stemmer,
    slots: Vec<Option<Stemmed>>,
}

struct Stemmed {
    surface: Box<str>,
    /// Absent where the stem is the surface.
    stem: Option<Box<str>>,
}

impl Stems {
    fn new() -> Self {
        let mut slots = Vec::new();
        slots.resize_with(CACHE_SLOTS, || None);
        Self {
            stemmer: Stemmer::create(Algorithm::English),
            slots,
        }
    }

    /// The stem of a lower-cased word; a function of the word alone.
    pub(super) fn stem<'a>(&'a mut self, surface: &'a str) -> &'a str {
        let stemmable = (MIN_STEMMED_BYTES..=MAX_STEMMED_BYTES).contains(&surface.len())
            && surface.bytes().all(|byte| byte.is_ascii_lowercase());
        if !stemmable {
            return surface;
        }
        let slot = &mut self.slots[term_hash(surface) as usize % CACHE_SLOTS];
        let known = slot
            .as_ref()
            .is_some_and(|entry| &*entry.surface == surface);
        if !known {
            let stem = self.stemmer.stem(surface);
            *slot = Some(Stemmed {
                surface: surface.into(),
                stem: (stem != surface && !stem.is_empty()).then(|| stem.as_ref().into()),
            });
        }
        slot.as_ref()
            .and_then(|entry| entry.stem.as_deref())
            .unwrap_or(surface)
    }
}
