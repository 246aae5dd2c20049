//! What every text that a regular expression matches must contain.

use regex_syntax::hir::{Class, Hir, HirKind};

use crate::store::exact_lane::TextNeed;

/// Which characters the trigram index folds as the regular expression does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Folding {
    /// Letter case counts, so that folding on the index side only lets more through.
    Exact,
    /// Letter case does not count; SQLite folds common scripts as Unicode does.
    Sqlite,
    /// Letter case does not count; PostgreSQL's `ILIKE` depends on its locale beyond ASCII.
    Postgres,
}

impl Folding {
    /// Whether the index may be asked for the character.
    pub(super) fn keeps(self, character: char) -> bool {
        // FTS5 reads its expression up to a NUL, and PostgreSQL stores none.
        if character == '\0' {
            return false;
        }
        match self {
            Self::Exact => true,
            Self::Sqlite => is_settled(character) || is_caseless(character),
            Self::Postgres => character.is_ascii() || is_caseless(character),
        }
    }
}

/// An index lists trigrams: less than three characters rule out nothing.
const SHORTEST: usize = 3;
/// Bounds the statement; what is left out only lets more files through.
const MOST_TEXTS: usize = 32;

/// Latin without its rarer letters, Greek and Cyrillic: their cases are the same in every version
/// of Unicode, while SQLite's table is older than the cases of some other letters. Of Cyrillic, the
/// medieval glyph variants U+1C80 to U+1C88 are younger; a search for the plain letter may miss them.
const fn is_settled(character: char) -> bool {
    matches!(
        character,
        '\0'..'\u{180}' | '\u{391}'..='\u{3af}' | '\u{3b1}'..'\u{3f0}' | '\u{400}'..'\u{500}'
    )
}

fn is_caseless(character: char) -> bool {
    character.to_lowercase().eq([character]) && character.to_uppercase().eq([character])
}

/// The texts that each match of `hir` contains.
pub(super) fn required(hir: &Hir, folding: Folding) -> TextNeed {
    let mut texts = 0;
    need_of(hir, folding, &mut texts)
}

fn need_of(hir: &Hir, folding: Folding, texts: &mut usize) -> TextNeed {
    let mut walk = Walk {
        folding,
        texts,
        run: String::new(),
        needs: Vec::new(),
    };
    walk.visit(hir);
    walk.end_run();
    TextNeed::all(walk.needs)
}

struct Walk<'a> {
    folding: Folding,
    /// Texts taken so far in the whole expression.
    texts: &'a mut usize,
    /// Characters that follow each other in every match.
    run: String,
    needs: Vec<TextNeed>,
}

impl Walk<'_> {
    fn visit(&mut self, hir: &Hir) {
        match hir.kind() {
            HirKind::Empty | HirKind::Look(_) => {}
            HirKind::Literal(literal) => match std::str::from_utf8(&literal.0) {
                Ok(text) => text.chars().for_each(|character| self.push(character)),
                Err(_) => self.end_run(),
            },
            HirKind::Class(class) => match one_letter(class) {
                Some(letter) => self.push_folded(letter),
                None => self.end_run(),
            },
            HirKind::Capture(capture) => self.visit(&capture.sub),
            HirKind::Concat(parts) => parts.iter().for_each(|part| self.visit(part)),
            HirKind::Repetition(repetition) => {
                // What is repeated at least once follows what stands before it.
                if repetition.min > 0 {
                    self.visit(&repetition.sub);
                }
                self.end_run();
            }
            HirKind::Alternation(branches) => {
                self.end_run();
                self.either(branches);
            }
        }
    }

    fn either(&mut self, branches: &[Hir]) {
        let before = *self.texts;
        let mut needs = Vec::with_capacity(branches.len());
        for branch in branches {
            match need_of(branch, self.folding, self.texts) {
                TextNeed::Anything => {
                    *self.texts = before;
                    return;
                }
                need => needs.push(need),
            }
        }
        self.needs.push(TextNeed::Any(needs));
    }

    fn push(&mut self, character: char) {
        if self.folding.keeps(character) {
            self.run.push(character);
        } else {
            self.end_run();
        }
    }

    /// A letter whose case is free in the expression itself, as in `(?i:a)`.
    fn push_folded(&mut self, letter: char) {
        if letter.is_ascii() {
            self.push(letter);
        } else {
            self.end_run();
        }
    }

    fn end_run(&mut self) {
        let run = std::mem::take(&mut self.run);
        if run.chars().nth(SHORTEST - 1).is_some() && *self.texts < MOST_TEXTS {
            *self.texts += 1;
            self.needs.push(TextNeed::Text(run));
        }
    }
}

/// The ASCII letter of which `class` holds the cases and nothing else.
fn one_letter(class: &Class) -> Option<char> {
    let Class::Unicode(class) = class else {
        return None;
    };
    let mut letter = None;
    for range in class.ranges() {
        if range.end() as u32 - range.start() as u32 > 1 {
            return None;
        }
        for character in range.start()..=range.end() {
            let folded = match character {
                '\u{17F}' => 's',
                '\u{212A}' => 'k',
                _ => character.to_ascii_lowercase(),
            };
            if *letter.get_or_insert(folded) != folded {
                return None;
            }
        }
    }
    letter
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn text(text: &str) -> TextNeed {
        TextNeed::Text(text.to_owned())
    }

    #[test]
    fn only_what_every_match_contains_is_required() {
        let cases = [
            ("abcd", text("abcd")),
            ("ab", TextNeed::Anything),
            ("", TextNeed::Anything),
            (".*", TextNeed::Anything),
            ("(foo)bar", text("foobar")),
            (r"\bfoo\b$", text("foo")),
            ("foo.*bar", TextNeed::All(vec![text("foo"), text("bar")])),
            ("(?:foo)?bar", text("bar")),
            ("(?:foo)*", TextNeed::Anything),
            ("xy(?:zzz)+q", text("xyzzz")),
            ("colou?r", text("colo")),
            ("foo|quux", TextNeed::Any(vec![text("foo"), text("quux")])),
            ("foo|", TextNeed::Anything),
            ("foo|ba", TextNeed::Anything),
            ("(?i)task", text("task")),
            ("(?i)größe", TextNeed::Anything),
            ("a[bc]d", TextNeed::Anything),
            ("abc\0def", TextNeed::All(vec![text("abc"), text("def")])),
        ];
        for (pattern, wanted) in cases {
            let hir = regex_syntax::parse(pattern).unwrap();
            assert_eq!(required(&hir, Folding::Exact), wanted, "{pattern}");
        }
    }

    #[test]
    fn characters_that_the_index_may_fold_otherwise_end_a_run() {
        for (folding, wanted) in [
            (Folding::Exact, text("naïveté")),
            (Folding::Sqlite, text("naïveté")),
            (Folding::Postgres, text("vet")),
        ] {
            let hir = regex_syntax::parse("naïveté").unwrap();
            assert_eq!(required(&hir, folding), wanted, "{folding:?}");
        }
        let georgian = regex_syntax::parse("აბგ").unwrap();
        assert_eq!(required(&georgian, Folding::Sqlite), TextNeed::Anything);
        let han = regex_syntax::parse("漢字例").unwrap();
        assert_eq!(required(&han, Folding::Postgres), text("漢字例"));
    }

    #[test]
    fn many_alternatives_stay_a_bounded_statement() {
        let words: Vec<String> = (0..200).map(|number| format!("{number}word")).collect();
        let hir = regex_syntax::parse(&format!("(?:{}).*tail", words.join("|"))).unwrap();
        assert_eq!(required(&hir, Folding::Exact), text("tail"));
    }
}
