// The routes of the HTTP contract that the dashboard uses. Each answers `[status, body]` or writes to the response.
import { addRepository, addRun, advanceRun, finishRun, ledgerSummary } from "./store.mjs";
import { search, searchExact } from "./search.mjs";

const page = (items) => [200, { items, next_cursor: null }];
const problem = (status, code, detail) => [status, { type: "about:blank", title: code, status, code, detail, request_id: "01JDXAMPLE" }];
const missing = () => problem(404, "not_found", null);
const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const shown = (repository) => ({ ...repository, branch_id: undefined, history: undefined });

export function createRoutes(store, password) {
  const sessions = new Set();
  const tokenResponse = () => {
    const access_token = crypto.randomUUID();
    sessions.add(access_token);
    return { access_token, token_type: "Bearer", expires_in: 900, user: store.user };
  };
  const repositoryOf = (id) => store.repositories.get(id);
  const searchedOf = (repository) => {
    const { commit, snapshot_id, published_at, files_indexed, files_skipped } = repository.published;
    return { repository_id: repository.id, repository_name: repository.name, branch: "main", commit, snapshot_id, indexed_at: published_at, files_indexed, files_skipped };
  };
  const firstReady = () => [...store.repositories.values()].find((repository) => repository.published);
  const branchesOf = (repository) => (repository.default_branch ? [{ id: repository.branch_id, name: "main", is_default: true, published: repository.published }] : []);

  async function events(run, response, isClosed) {
    response.writeHead(200, { "Content-Type": "text/event-stream", "Cache-Control": "no-store" });
    const send = (event) => response.write(`event: ${event}\ndata: ${JSON.stringify(run)}\n\n`);
    response.write(": keep-alive\n\n");
    const steps = [["sync"], ["plan"], ...Array.from({ length: 12 }, (_, step) => ["batch", (step + 1) / 12])];
    const pace = Number(process.env.QUARRY_MOCK_STEP_MS ?? 150);
    for (const [stage, part] of run.state === "queued" ? steps : []) {
      if (isClosed() || run.state === "cancelled") break;
      advanceRun(store, run.id, stage, part);
      send("progress");
      await pause(pace);
    }
    if (run.state === "running" && !isClosed()) finishRun(store, run.id);
    send("done");
    response.end();
  }

  const routes = {
    "POST /auth/login": ({ body }) =>
      body.email === store.user.email && body.password === password
        ? [200, tokenResponse(), { "Set-Cookie": "quarry_refresh=mock; HttpOnly; SameSite=Strict; Path=/api/v1/auth" }]
        : problem(401, "invalid_credentials", null),
    "POST /auth/refresh": ({ cookie }) => (cookie.includes("quarry_refresh=mock") ? [200, tokenResponse()] : problem(401, "invalid_refresh_token", null)),
    "POST /auth/logout": () => [204, null, { "Set-Cookie": "quarry_refresh=; Max-Age=0; Path=/api/v1/auth" }],
    "GET /auth/me": () => [200, { user: store.user, organizations: [store.organization] }],
    "GET /organizations/:id/projects": () => page(store.projects),
    "GET /projects/:id/repositories": ({ id }) => page([...store.repositories.values()].filter((one) => one.project_id === id).map(shown)),
    "POST /projects/:id/repositories/check": ({ body }) => {
      const address = body.source.url ?? body.source.path;
      if (address.includes("missing")) return problem(422, "source_not_found", `no repository at \`${address}\``);
      return [200, { default_branch: "main", branches: ["main", "develop", "release/2.4"].map((name) => ({ name, commit: "4f1c2b9e07d35a6884c1b2f0a9d7e3516c8b0f42" })), warning: null }];
    },
    "POST /projects/:id/repositories": ({ id, body }) => [201, shown(addRepository(store, store.projects.find((one) => one.id === id), body))],
    "GET /repositories/:id": ({ id }) => (repositoryOf(id) ? [200, shown(repositoryOf(id))] : missing()),
    "DELETE /repositories/:id": ({ id }) => (store.repositories.delete(id) ? [202, null] : missing()),
    "POST /repositories/:id/index": ({ id }) => [202, addRun(store, repositoryOf(id), "manual")],
    "GET /repositories/:id/branches": ({ id }) => page(branchesOf(repositoryOf(id))),
    "GET /repositories/:id/index-runs": ({ id }) => page([...store.runs.values()].filter((run) => run.repository_id === id).reverse()),
    "GET /branches/:id/snapshots": ({ id }) => page([...store.repositories.values()].find((one) => one.branch_id === id)?.history ?? []),
    "GET /snapshots/:id/ledger": ({ query }) => {
      const rows = store.files.filter(
        (file) =>
          (!query.get("status") || file.status === query.get("status")) &&
          (!query.get("reason") || file.reason === query.get("reason")) &&
          file.path.startsWith(query.get("path_prefix") ?? ""),
      );
      const from = Number(query.get("cursor") ?? 0);
      const to = from + Number(query.get("limit") ?? 100);
      const items = rows.slice(from, to).map(({ path, status, reason, detail, language, bytes, lines, chunks }) => ({ path, status, reason, detail, language, bytes, lines: lines.length, chunks }));
      return [200, { summary: ledgerSummary(store.files), items, next_cursor: to < rows.length ? String(to) : null }];
    },
    "GET /index-runs/:id": ({ id }) => (store.runs.has(id) ? [200, store.runs.get(id)] : missing()),
    "POST /index-runs/:id/cancel": ({ id }) => {
      const run = store.runs.get(id);
      Object.assign(run, { state: "cancelled", finished_at: new Date().toISOString() });
      repositoryOf(run.repository_id).state = repositoryOf(run.repository_id).published ? "ready" : "failed";
      return [202, null];
    },
    "POST /index-runs/:id/retry": ({ id }) => [202, addRun(store, repositoryOf(store.runs.get(id).repository_id), "manual")],
    "GET /index-runs/:id/events": ({ id, response, isClosed }) => void events(store.runs.get(id), response, isClosed),
    "POST /search": ({ body }) => [200, search(firstReady(), searchedOf(firstReady()), store.files, body)],
    "POST /search/exact": ({ body }) => {
      try {
        return [200, searchExact(firstReady(), searchedOf(firstReady()), store.files, body)];
      } catch (cause) {
        return problem(422, "invalid_pattern", cause.message);
      }
    },
    "GET /symbols": ({ query }) => {
      const name = query.get("name").toLowerCase();
      const repository = firstReady();
      const items = store.files.flatMap((file) =>
        file.symbols
          .filter((symbol) => symbol.name.toLowerCase().startsWith(name))
          .map((symbol) => ({ ...symbol, signature: null, repository_id: repository.id, repository_name: repository.name, branch: "main", commit: repository.published.commit, path: file.path, language: file.language })),
      );
      return page(items.slice(0, Number(query.get("limit") ?? 20)));
    },
    "GET /repositories/:id/tree": ({ id, query }) => {
      const path = query.get("path") ?? "";
      const prefix = path ? `${path}/` : "";
      const entries = new Map();
      for (const file of store.files.filter((one) => one.path.startsWith(prefix))) {
        const [name, ...rest] = file.path.slice(prefix.length).split("/");
        const isFile = rest.length === 0;
        entries.set(name, { name, path: prefix + name, kind: isFile ? "file" : "directory", status: isFile ? file.status : null, reason: isFile ? file.reason : null, language: isFile ? file.language : null, bytes: isFile ? file.bytes : null });
      }
      const order = (entry) => (entry.kind === "directory" ? 0 : 1);
      const { commit, snapshot_id } = repositoryOf(id).published;
      return [200, { path, commit, snapshot_id, branch: "main", entries: [...entries.values()].sort((one, other) => order(one) - order(other) || one.name.localeCompare(other.name)) }];
    },
    "GET /repositories/:id/file": ({ id, query }) => {
      const file = store.files.find((one) => one.path === query.get("path"));
      if (!file) return missing();
      if (file.reason) return problem(404, "file_not_indexed", file.detail ?? file.reason);
      const { commit, snapshot_id } = repositoryOf(id).published;
      const start_line = Number(query.get("start_line") ?? 1);
      const end_line = Math.min(Number(query.get("end_line") ?? file.lines.length), file.lines.length);
      return [200, { repository_id: id, repository_name: repositoryOf(id).name, path: file.path, branch: "main", commit, snapshot_id, blob_id: commit, language: file.language, total_lines: file.lines.length, start_line, end_line, text: file.lines.slice(start_line - 1, end_line).join("\n"), symbols: file.symbols }];
    },
    "GET /status": () => [200, { version: "0.1.0", mode: "standalone", embedder: { kind: "none", model: null, dimension: null }, vector_index: "sql", lexical_index: "tantivy", reranker: "none", warnings: [{ code: "embedder_none", message: "no embedder is configured, so code is found by words and names, not by meaning" }] }],
    "GET /jobs": () => page(store.jobs),
    "POST /jobs/:id/retry": ({ id }) => {
      store.jobs = store.jobs.filter((job) => job.id !== id);
      return [202, null];
    },
  };
  const isPublic = (path) => path === "/auth/login" || path === "/auth/refresh";
  return { routes, isAllowed: (path, token) => isPublic(path) || sessions.has(token), denied: () => problem(401, "unauthenticated", null), missing };
}
