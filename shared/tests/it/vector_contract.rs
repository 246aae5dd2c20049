//! The contract of `VectorIndex` on every adapter.

mod embedded {
    use quarry_shared::adapters::embedded_vector::EmbeddedVectorIndex;

    quarry_shared::vector_contract_tests!((EmbeddedVectorIndex::new(), ()));
}
