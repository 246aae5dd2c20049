//! What is indexed and asked together: a repository at a revision in one condition.

use crate::{
    arguments::{Condition, RetrievalArguments},
    dataset::{AnnotatedRepository, Dataset, Issue, Question},
    metrics::Target,
};

/// Category of a bug report.
pub const ISSUE: &str = "issue";

/// One index with its questions.
#[derive(Debug, Clone)]
pub struct Corpus {
    pub condition: Condition,
    /// The repository's or the issue's short name.
    pub name: String,
    /// `owner/name`.
    pub full_name: String,
    pub language: Option<String>,
    pub revision: String,
    /// The only folder that is indexed.
    pub folder: Option<String>,
    pub questions: Vec<Question>,
}

impl Corpus {
    /// Where its index is kept, relative to the cache: one place for the same content, whoever asks.
    #[must_use]
    pub fn key(&self) -> String {
        let part = self
            .folder
            .as_ref()
            .map_or_else(|| "all".to_owned(), |folder| folder.replace('/', "+"));
        let revision = self.revision.get(..12).unwrap_or(&self.revision);
        format!("{}@{revision}/{part}", self.full_name.replace('/', "+"))
    }
}

/// The corpora that the arguments select, in the order of the report.
#[must_use]
pub fn select(dataset: &Dataset, arguments: &RetrievalArguments) -> Vec<Corpus> {
    let mut corpora = Vec::new();
    for condition in arguments.conditions() {
        match condition {
            Condition::Root | Condition::Whole => corpora.extend(
                dataset
                    .localization
                    .iter()
                    .filter(|repository| arguments.wants(&repository.name))
                    .map(|repository| of_repository(repository, condition)),
            ),
            Condition::Issues => corpora.extend(
                dataset
                    .issues
                    .iter()
                    .filter(|issue| arguments.wants(&issue.id))
                    .map(of_issue),
            ),
        }
    }
    corpora
}

/// A repository's questions in one of the two conditions.
#[must_use]
pub fn of_repository(repository: &AnnotatedRepository, condition: Condition) -> Corpus {
    let folder = repository
        .root
        .clone()
        .filter(|_| condition == Condition::Root);
    Corpus {
        condition,
        name: repository.name.clone(),
        full_name: repository.full_name(),
        language: Some(repository.language.clone()),
        revision: repository.revision.clone(),
        folder,
        questions: repository.questions.clone(),
    }
}

fn of_issue(issue: &Issue) -> Corpus {
    let targets = issue.files.iter().map(|path| Target {
        path: path.clone(),
        lines: None,
    });
    Corpus {
        condition: Condition::Issues,
        name: issue.id.clone(),
        full_name: issue.repo.clone(),
        language: None,
        revision: issue.base_commit.clone(),
        folder: None,
        questions: vec![Question {
            text: issue.query.clone(),
            category: ISSUE.to_owned(),
            targets: targets.collect(),
        }],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_repository_without_a_root_has_one_index_for_both_conditions() {
        let mut repository = AnnotatedRepository {
            name: "gin".to_owned(),
            language: "go".to_owned(),
            url: "https://github.com/gin-gonic/gin.git".to_owned(),
            revision: "d3ffc9985281dcf4d3bef604cce4e662b1a327a6".to_owned(),
            root: None,
            questions: Vec::new(),
        };
        let key = |repository: &AnnotatedRepository, condition| {
            of_repository(repository, condition).key()
        };
        let whole = key(&repository, Condition::Whole);
        assert_eq!(whole, "gin-gonic+gin@d3ffc9985281/all");
        assert_eq!(key(&repository, Condition::Root), whole);
        repository.root = Some("src/lib".to_owned());
        let root = key(&repository, Condition::Root);
        assert_eq!(root, "gin-gonic+gin@d3ffc9985281/src+lib");
        assert_eq!(key(&repository, Condition::Whole), whole);
    }
}
