// Enough of a search for the journeys: words are counted, nothing is ranked well.
const FILTER = /(-?)(repo|path|lang|kind|test|symbol|branch):("[^"]*"|\S*)/g;

function parse(query) {
  const filters = [...query.matchAll(FILTER)].map(([, sign, key, value]) => ({ negated: sign === "-", key, value: value.replaceAll('"', "") }));
  const words = query.replace(FILTER, " ").toLowerCase().split(/\W+/).filter((word) => word.length > 1);
  return { filters, words };
}

const isTest = (path) => /test|e2e/.test(path);
const kindOf = (symbol) => (symbol.kind === "function" ? "function" : "type");

function passes(file, kind, { filters }) {
  const keys = ["path", "lang", "kind", "test"];
  return keys.every((key) => {
    const wanted = filters.filter((filter) => filter.key === key && !filter.negated).map((filter) => filter.value);
    if (wanted.length === 0) return true;
    if (key === "path") return wanted.some((value) => file.path.includes(value));
    if (key === "lang") return wanted.includes(file.language);
    if (key === "kind") return wanted.includes(kind);
    return wanted.includes(isTest(file.path) ? "yes" : "no");
  });
}

function highlightsIn(lines, first, words) {
  return lines.flatMap((text, index) =>
    words.flatMap((word) => {
      const start = text.toLowerCase().indexOf(word);
      return start < 0 ? [] : [{ line: first + index, start, end: start + word.length }];
    }),
  );
}

function candidates(files, parsed) {
  return files.filter((file) => file.status === "indexed").flatMap((file) => {
    const spans = file.symbols.length > 0 ? file.symbols : [{ name: null, kind: "section", start_line: 1, end_line: Math.min(20, file.lines.length) }];
    return spans.flatMap((symbol) => {
      const kind = symbol.name ? kindOf(symbol) : "section";
      const lines = file.lines.slice(symbol.start_line - 1, symbol.end_line);
      const highlights = highlightsIn(lines, symbol.start_line, parsed.words);
      const named = parsed.words.some((word) => symbol.name?.toLowerCase().includes(word));
      const score = highlights.length / (4 + lines.length) + (named ? 1 : 0);
      const isPathOnly = parsed.words.length === 0;
      if ((score === 0 && !isPathOnly) || !passes(file, kind, parsed)) return [];
      return [{ file, symbol, kind, lines, highlights, named, score }];
    });
  });
}

function count(values) {
  const counts = new Map();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].map(([value, amount]) => ({ value, count: amount })).sort((one, other) => other.count - one.count);
}

export function search(repository, searched, files, { query, limit = 10, explain = false }) {
  const parsed = parse(query);
  const found = candidates(files, parsed).sort((one, other) => other.score - one.score);
  const hits = found.slice(0, limit).map((candidate, index) => hitOf(repository, searched, candidate, index + 1, explain));
  const facets = {
    languages: count(found.map(({ file }) => file.language ?? "text")),
    repositories: found.length ? [{ value: repository.id, label: repository.name, count: found.length }] : [],
    kinds: count(found.map(({ kind }) => kind)),
    tests: count(found.map(({ file }) => (isTest(file.path) ? "yes" : "no"))),
  };
  const verdict = hits.length === 0 ? "no_match" : found[0].score < 0.4 ? "low_confidence" : "ok";
  const hints = { ok: null, low_confidence: "no definition has this name; the hits only mention the words", no_match: "nearest spellings: `session`, `revision`" };
  return {
    intent: "concept", verdict, hint: hints[verdict], hits, facets, searched: [searched], took_ms: 23,
    warnings: [{ code: "embedder_none", message: "no embedder is configured, so code is found by words and names, not by meaning" }],
    channels: [
      { name: "lexical", status: "ok", candidates: found.length, milliseconds: 6.1 },
      { name: "dense", status: "disabled", candidates: 0, milliseconds: 0 },
      { name: "symbol", status: "ok", candidates: found.filter(({ named }) => named).length, milliseconds: 1.2 },
      { name: "path", status: "ok", candidates: 0, milliseconds: 0.4 },
    ],
  };
}

function hitOf(repository, searched, { file, symbol, kind, lines, highlights, named, score }, rank, explain) {
  return {
    id: `${file.path}:${symbol.start_line}`, rank, score, kind, repository_id: repository.id, repository_name: repository.name,
    project_id: repository.project_id, branch: searched.branch, commit: searched.commit, snapshot_id: searched.snapshot_id,
    path: file.path, language: file.language, symbol: symbol.name, start_line: symbol.start_line, end_line: symbol.end_line,
    is_test: isTest(file.path),
    snippet: { start_line: symbol.start_line, text: lines.slice(0, 24).join("\n"), highlights },
    channels: [
      { name: "lexical", rank, score: score * 7.31 },
      { name: "dense", rank: null, score: null },
      { name: "symbol", rank: named ? Math.ceil(rank / 2) : null, score: named ? 1 : null },
    ],
    explanation: explain
      ? [
          { name: "fused", value: score * 0.82, detail: "lexical 0.6, symbol 0.4" },
          { name: "definition_boost", value: score * 0.18, detail: "the symbol is defined here" },
          ...(isTest(file.path) ? [{ name: "test_demotion", value: -0.12, detail: "the file is a test" }] : []),
        ]
      : null,
  };
}

export function searchExact(repository, searched, files, { pattern, regex, case_sensitive, whole_word, languages = [], path, limit = 200 }) {
  const source = regex ? pattern : pattern.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const matcher = new RegExp(whole_word ? `\\b(?:${source})\\b` : source, case_sensitive ? "g" : "gi");
  const inScope = files.filter((file) => file.status === "indexed" && (languages.length === 0 || languages.includes(file.language)) && (!path || file.path.includes(path.replaceAll("*", ""))));
  let matches = 0;
  let considered = 0;
  const found = [];
  for (const file of inScope) {
    if (matches >= limit) break;
    considered += 1;
    const hits = file.lines.flatMap((text, index) =>
      [...text.matchAll(matcher)].filter(([all]) => all).map((match) => ({ line: index + 1, start: match.index, end: match.index + match[0].length, text, text_offset: 0 })),
    ).slice(0, limit - matches);
    matches += hits.length;
    if (hits.length > 0) {
      found.push({ repository_id: repository.id, repository_name: repository.name, branch: searched.branch, commit: searched.commit, snapshot_id: searched.snapshot_id, path: file.path, language: file.language, matches: hits });
    }
  }
  const stopped_early = matches >= limit;
  return { files: found, matches, files_considered: considered, stopped_early, stop_reason: stopped_early ? "limit reached" : null, searched: [searched], took_ms: 14 };
}
