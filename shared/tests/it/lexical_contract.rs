//! The contract of `LexicalIndex` on every adapter.

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
