//! The database: entities, scoped finders, transactions, the ledger.
