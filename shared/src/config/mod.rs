//! Settings, one struct per subsystem; defaults are complete, so that an empty file is legal.

mod git;

pub use git::GitSettings;
