//! Every number of the ranking, few and round. They were chosen on the development split of
//! `eval/README.md` only; change none without its tables.

/// Hits in one answer at most, and by default.
pub const MAX_HITS: usize = 50;
pub const DEFAULT_HITS: usize = 10;

/// Longest accepted question: a long bug report with its traceback, not a file.
pub const MAX_QUERY_BYTES: usize = 32 * 1024;

/// Chunks that the lexical and the dense channel recall each. Their union is scored.
pub const RECALL: usize = 150;
/// The same when a filter that engines do not know (path, symbol, negation) will remove many.
pub const RECALL_WHEN_FILTERED: usize = 2_000;
/// Chunks that define a name of the question.
pub const SYMBOL_RECALL: usize = 100;
/// Files that the path channel adds.
pub const PATH_FILES: usize = 20;
/// Chunks of those files.
pub const PATH_RECALL: usize = 200;

/// BM25F: saturation, then weight and length normalisation of the fields path, symbols, signatures,
/// comments, body (Robertson, Zaragoza: "The Probabilistic Relevance Framework", 2009).
pub const K1: f32 = 1.5;
pub const FIELD_WEIGHTS: [f32; 5] = [4.0, 3.0, 1.0, 1.0, 1.0];
pub const FIELD_LENGTH_NORMALISATION: [f32; 5] = [0.3, 0.3, 0.3, 0.5, 0.75];

/// Share of the dense score by intent; the lexical score has the rest.
pub const DENSE_SHARE_NAME: f32 = 0.5;
pub const DENSE_SHARE_PROSE: f32 = 0.6;
pub const DENSE_SHARE_REPORT: f32 = 0.4;
/// Reciprocal rank fusion (Cormack, Clarke, Büttcher, 2009).
pub const RRF_K: f32 = 60.0;

/// More words than this, or several lines, make a report.
pub const REPORT_WORDS: usize = 40;
/// Words of a report that are scored.
pub const REPORT_TERMS: usize = 60;
/// Words of a report that are recalled with.
pub const REPORT_RECALL_TERMS: usize = 200;
/// What the dense score of a report's first line adds.
pub const REPORT_TITLE: f32 = 0.3;
/// What a path or traceback frame in a report adds to the file named.
pub const REPORT_PATH: f32 = 0.5;
/// … and half more for the innermost call of a traceback that lies in what is searched: fixes are
/// made near the failure more often than near the entry (Wong et al.: "Boosting Bug-Report-Oriented
/// Fault Localization with Segmentation and Stack-Trace Analysis", 2014).
pub const REPORT_FRAME: f32 = 0.25;

/// What defining a name of the question adds.
pub const DEFINES_NAME: f32 = 1.0;
/// … and half more when the file is called so.
pub const DEFINES_NAME_STEM: f32 = 0.5;
pub const DEFINES_IN_PROSE: f32 = 0.2;
pub const DEFINES_IN_REPORT: f32 = 0.2;
pub const DEFINES_MOST: f32 = 0.4;

/// What covering the file's stem adds.
pub const STEM: f32 = 0.1;
/// What the whole file's BM25F adds.
pub const FILE_LEXICAL: f32 = 0.15;
/// What a file's best chunk gains by the file's other good chunks, counted among this many.
pub const FILE_SUM: f32 = 0.25;
pub const FILE_SUM_CHUNKS: usize = 50;
/// Each further chunk of a file counts this much of the one before.
pub const SATURATION: f32 = 0.5;

/// Candidates that a reranker reads.
pub const RERANKED: usize = 30;

/// Below this share of the question's weight in the best hit, and this cosine, a result is doubted.
pub const DOUBT_COVERAGE: f32 = 0.4;
pub const DOUBT_COSINE: f32 = 0.4;
/// Below this cosine a hit that shares no word with the question is no hit.
pub const NOISE_COSINE: f32 = 0.2;
