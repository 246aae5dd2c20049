// The one repository that the mock serves: the files of a directory on this machine.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { extname, join, relative } from "node:path";

const LANGUAGES = { ".rs": "rust", ".ts": "typescript", ".tsx": "typescript", ".mjs": "javascript", ".js": "javascript", ".css": "css", ".json": "json", ".toml": "toml", ".md": "markdown", ".html": "html", ".sql": "sql", ".py": "python" };
const IGNORED = new Set(["node_modules", ".git", "dist", "target", "test-results"]);
const LARGEST = 60_000;

function reasonFor(name, size, text) {
  if (name === "package-lock.json" || name === "Cargo.lock") return ["lock_file", null];
  if (size > LARGEST) return ["too_large", `${size} bytes, the limit is ${LARGEST}`];
  if (text.includes("\0")) return ["binary", null];
  if (text.trim() === "") return ["empty", null];
  return [null, null];
}

const DEFINITION = /^\s*(?:export )?(?:pub(?:\(crate\))? )?(?:default )?(?:async )?(function|class|interface|type|const|fn|struct|enum|trait|mod) ([A-Za-z_]\w+)/;
const KINDS = { fn: "function", const: "constant", mod: "module", type: "type_alias" };

function symbolsOf(lines) {
  const starts = lines.flatMap((line, index) => {
    const match = DEFINITION.exec(line);
    if (!match || /^\s{3,}/.test(line)) return [];
    return [{ name: match[2], qualified_name: match[2], kind: KINDS[match[1]] ?? match[1], start_line: index + 1 }];
  });
  return starts.map((symbol, index) => {
    const next = starts[index + 1]?.start_line ?? lines.length + 1;
    let end = symbol.start_line;
    while (end < next - 1 && !/^[}\])]/.test(lines[end - 1] ?? "")) end += 1;
    return { ...symbol, end_line: Math.max(end, symbol.start_line) };
  });
}

function walk(root, directory = root) {
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    if (IGNORED.has(entry.name)) return [];
    const path = join(directory, entry.name);
    return entry.isDirectory() ? walk(root, path) : entry.isFile() ? [relative(root, path)] : [];
  });
}

export function readTree(root) {
  return walk(root).sort().map((path) => {
    const bytes = statSync(join(root, path)).size;
    const text = readFileSync(join(root, path), "utf8");
    const lines = text.split("\n");
    const [reason, detail] = reasonFor(path.split("/").at(-1), bytes, text);
    return {
      path, bytes, text, lines, reason, detail,
      status: reason ? "skipped" : "indexed",
      language: LANGUAGES[extname(path)] ?? null,
      symbols: reason ? [] : symbolsOf(lines),
      chunks: reason ? 0 : Math.max(1, Math.ceil(lines.length / 40)),
    };
  });
}
