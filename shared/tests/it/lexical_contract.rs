//! The contract of `LexicalIndex` on every adapter, and what a directory survives.

mod tantivy_in_memory {
    use quarry_shared::adapters::tantivy::TantivyLexicalIndex;

    quarry_shared::lexical_contract_tests!((TantivyLexicalIndex::in_memory().unwrap(), ()));
}

mod tantivy_on_disk {
    use quarry_shared::adapters::tantivy::TantivyLexicalIndex;

    quarry_shared::lexical_contract_tests!({
        let directory = tempfile::tempdir().unwrap();
        let outcome = TantivyLexicalIndex::open(directory.path()).unwrap();
        (outcome.index, directory)
    });
}

mod tantivy_directory {
    use std::{
        fs,
        path::{Path, PathBuf},
        sync::Arc,
    };

    use quarry_shared::{
        adapters::tantivy::TantivyLexicalIndex,
        domain::{Kinded, SnapshotId},
        testing::{
            Tenant,
            lexical_contract::{Index, recall, write},
        },
    };

    /// Opens the directory and answers whether it must be filled again.
    fn open(directory: &Path) -> (Index, bool) {
        let outcome = TantivyLexicalIndex::open(directory).unwrap();
        (Arc::new(outcome.index), outcome.needs_rebuild)
    }

    /// A directory with ten documents, closed.
    async fn filled(tenant: &Tenant) -> tempfile::TempDir {
        let directory = tempfile::tempdir().unwrap();
        let (index, needs_rebuild) = open(directory.path());
        assert!(needs_rebuild, "a new directory is empty");
        write(&index, tenant, &["word"; 10]).await;
        directory
    }

    fn files(directory: &Path, extension: &str) -> Vec<PathBuf> {
        fs::read_dir(directory.join("v1"))
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .filter(|path| path.extension().is_some_and(|found| found == extension))
            .collect()
    }

    #[tokio::test]
    async fn everything_is_there_after_opening_again() {
        let tenant = Tenant::new();
        let directory = tempfile::tempdir().unwrap();
        let (index, _) = open(directory.path());
        let ids = write(&index, &tenant, &["caches", "cached word", "gone"]).await;
        index.set_died(&ids[..1], SnapshotId(5)).await.unwrap();
        index.delete(&ids[2..]).await.unwrap();
        let before = recall(&index, "cache word gone", 10, &tenant.filter()).await;
        drop(index);
        let (index, needs_rebuild) = open(directory.path());
        assert!(!needs_rebuild);
        let after = recall(&index, "cache word gone", 10, &tenant.filter()).await;
        assert_eq!(after.hits, before.hits);
        assert_eq!(after.frequencies, before.frequencies);
        assert_eq!(index.count(&tenant.filter()).await.unwrap(), 1);
        index.set_died(&ids, SnapshotId::NEVER).await.unwrap();
        assert_eq!(index.count(&tenant.filter()).await.unwrap(), 2);
    }

    #[tokio::test]
    async fn a_second_opener_is_refused_and_changes_nothing() {
        let tenant = Tenant::new();
        let directory = tempfile::tempdir().unwrap();
        let (index, _) = open(directory.path());
        write(&index, &tenant, &["word"]).await;
        let error = TantivyLexicalIndex::open(directory.path()).err().unwrap();
        assert_eq!(error.code(), "unavailable");
        assert_eq!(index.count(&tenant.filter()).await.unwrap(), 1);
    }

    #[tokio::test]
    async fn damage_is_found_and_the_directory_made_anew() {
        type Damage = fn(&Path);
        let damages: [(&str, Damage); 6] = [
            ("a list of segments that is rubbish", |directory| {
                fs::write(directory.join("v1/meta.json"), b"{\"segments\": [").unwrap();
            }),
            ("a list of segments that is missing", |directory| {
                fs::remove_file(directory.join("v1/meta.json")).unwrap();
            }),
            ("a flipped byte in the postings", |directory| {
                let path = &files(directory, "idx")[0];
                let mut bytes = fs::read(path).unwrap();
                bytes[3] ^= 0xFF;
                fs::write(path, bytes).unwrap();
            }),
            ("columns cut short", |directory| {
                let path = &files(directory, "fast")[0];
                let bytes = fs::read(path).unwrap();
                fs::write(path, &bytes[..bytes.len() / 2]).unwrap();
            }),
            ("an empty dictionary", |directory| {
                fs::write(&files(directory, "term")[0], b"").unwrap();
            }),
            ("a missing file", |directory| {
                fs::remove_file(&files(directory, "store")[0]).unwrap();
            }),
        ];
        for (name, damage) in damages {
            let tenant = Tenant::new();
            let directory = filled(&tenant).await;
            damage(directory.path());
            let (index, needs_rebuild) = open(directory.path());
            assert!(needs_rebuild, "{name}");
            assert_eq!(index.count(&tenant.filter()).await.unwrap(), 0, "{name}");
            write(&index, &tenant, &["word"]).await;
            drop(index);
            let (index, needs_rebuild) = open(directory.path());
            assert!(!needs_rebuild, "{name}");
            assert_eq!(index.count(&tenant.filter()).await.unwrap(), 1, "{name}");
        }
    }

    #[tokio::test]
    async fn files_of_others_and_other_formats_are_told_apart() {
        let directory = tempfile::tempdir().unwrap();
        fs::write(directory.path().join("notes.txt"), b"mine").unwrap();
        fs::create_dir(directory.path().join("v0")).unwrap();
        let (_index, needs_rebuild) = open(directory.path());
        assert!(needs_rebuild);
        assert!(directory.path().join("notes.txt").exists());
        assert!(!directory.path().join("v0").exists());
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn a_caller_that_goes_away_leaves_whole_batches() {
        let tenant = Tenant::new();
        let directory = tempfile::tempdir().unwrap();
        let (index, _) = open(directory.path());
        let given_up: Vec<_> = (0..8)
            .map(|_| {
                let index = Arc::clone(&index);
                tokio::spawn(async move { write(&index, &tenant, &["word"; 25]).await })
            })
            .collect();
        tokio::task::yield_now().await;
        for task in &given_up {
            task.abort();
        }
        for task in given_up {
            let _ = task.await;
        }
        // Whatever was committed, this batch and all before it are whole.
        write(&index, &tenant, &["word"; 25]).await;
        assert_eq!(index.count(&tenant.filter()).await.unwrap() % 25, 0);
        drop(index);
    }
}
