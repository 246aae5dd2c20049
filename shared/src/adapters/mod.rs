//! One folder per outside system, each behind a trait of `ports`.
