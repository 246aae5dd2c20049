// What the mock remembers: one organization, two projects, and repositories that are added and indexed.
import { randomUUID } from "node:crypto";
import { readTree } from "./tree.mjs";

const ago = (seconds) => new Date(Date.now() - seconds * 1000).toISOString();
const COMMIT = "4f1c2b9e07d35a6884c1b2f0a9d7e3516c8b0f42";
const OLDER_COMMIT = "b07a91d45e2c3f6680919ad2c47f5be8130d6a5c";

export function createStore(root) {
  const files = readTree(root);
  const organization = { id: randomUUID(), name: "Acme", slug: "acme", role: "owner", created_at: ago(9e6) };
  const projects = ["Platform", "Payments"].map((name) => ({ id: randomUUID(), organization_id: organization.id, name, slug: name.toLowerCase(), visibility: "organization", repositories: 0, created_at: ago(8e6) }));
  const user = { id: randomUUID(), email: process.env.QUARRY_E2E_EMAIL ?? "ada@example.com", name: "Ada Byron", is_instance_administrator: true };
  const store = { files, organization, projects, user, repositories: new Map(), runs: new Map(), snapshots: new Map(), jobs: [] };

  const main = addRepository(store, projects[0], { name: "quarry", source: { kind: "git", url: "https://git.example.com/acme/quarry.git" } });
  finishRun(store, main.latest_run.id);
  const failed = addRepository(store, projects[1], { name: "ledger-service", source: { kind: "git", url: "https://git.example.com/acme/ledger-service.git", password: "x" } });
  Object.assign(failed.latest_run, { state: "failed", stage: "sync", attempts: 5, error: { code: "authentication_failed", message: "the remote answered 401 to the credentials" }, started_at: ago(4000), finished_at: ago(3990) });
  Object.assign(failed, { state: "failed", error: failed.latest_run.error });
  const empty = addRepository(store, projects[1], { name: "invoices", source: { kind: "local", path: "/srv/git/invoices.git" } });
  Object.assign(empty.latest_run, { state: "succeeded", stage: "done", started_at: ago(900), finished_at: ago(899) });
  Object.assign(empty, { state: "empty", default_branch: "main" });
  store.jobs.push({ id: randomUUID(), kind: "sync_repository", state: "dead", repository_id: failed.id, attempts: 5, max_attempts: 5, error: failed.error, run_after: ago(4000), created_at: ago(5000), finished_at: ago(3990) });
  return store;
}

export function ledgerSummary(files) {
  const count = (values) => Object.entries(values.reduce((counts, value) => ({ ...counts, [value]: (counts[value] ?? 0) + 1 }), {}));
  const indexed = files.filter((file) => file.status === "indexed");
  const skipped = files.filter((file) => file.status === "skipped");
  const chunks = indexed.reduce((sum, file) => sum + file.chunks, 0);
  return {
    files_seen: files.length, files_indexed: indexed.length, files_skipped: skipped.length, chunks, points: null, documents: chunks,
    by_reason: count(skipped.map((file) => file.reason)).map(([reason, amount]) => ({ reason, count: amount })),
    by_language: count(indexed.map((file) => file.language ?? "text")).map(([language, amount]) => ({ language, count: amount })),
  };
}

function snapshotOf(store, commit, publishedAgo) {
  const { files_seen, files_indexed, files_skipped, chunks } = ledgerSummary(store.files);
  const snapshot = {
    snapshot_id: store.snapshots.size + 40, commit, committed_at: ago(publishedAgo + 240), published_at: ago(publishedAgo),
    files_seen, files_indexed, files_skipped, chunks, bytes: store.files.reduce((sum, file) => sum + file.bytes, 0),
  };
  store.snapshots.set(snapshot.snapshot_id, snapshot);
  return snapshot;
}

export function addRun(store, repository, trigger, branch = "main") {
  const run = {
    id: randomUUID(), repository_id: repository.id, branch, state: "queued", stage: "sync", trigger, commit: null, snapshot_id: null,
    files_seen: 0, files_total: 0, files_done: 0, chunks_done: 0, chunks_embedded: 0, embedding_cache_hits: 0, batches_total: 0,
    batches_done: 0, bytes_total: 0, bytes_done: 0, attempts: 1, eta_seconds: null, error: null,
    stage_seconds: { sync: 0, plan: 0, batch: 0, publish: 0, embed: 0 }, created_at: ago(0), started_at: null, finished_at: null,
  };
  store.runs.set(run.id, run);
  repository.latest_run = run;
  repository.state = repository.published ? "indexing" : "pending";
  return run;
}

export function addRepository(store, project, { name, source }) {
  const { kind, url = null, path = null, password } = source;
  const repository = {
    id: randomUUID(), organization_id: project.organization_id, project_id: project.id,
    name: name ?? (url ?? path).split("/").at(-1).replace(/\.git$/, ""),
    source: { kind, url, path, has_credentials: Boolean(password) }, default_branch: null, state: "pending", warning: null, error: null,
    published: null, latest_run: null, created_at: ago(0), branch_id: randomUUID(), history: [],
  };
  store.repositories.set(repository.id, repository);
  project.repositories += 1;
  addRun(store, repository, "added");
  return repository;
}

/** Moves a run on: `part` is how much of its batches is done. */
export function advanceRun(store, id, stage, part = 0) {
  const run = store.runs.get(id);
  const { files_seen, chunks } = ledgerSummary(store.files);
  run.state = "running";
  run.stage = stage;
  run.started_at ??= ago(0);
  run.commit = COMMIT;
  store.repositories.get(run.repository_id).state = "indexing";
  if (stage === "sync") return run;
  Object.assign(run, { files_seen, files_total: files_seen, batches_total: 12, bytes_total: 1_400_000 });
  run.stage_seconds.sync = 0.8;
  if (stage === "plan") return run;
  run.stage_seconds.plan = 0.3;
  run.files_done = Math.round(files_seen * part);
  run.batches_done = Math.floor(12 * part);
  run.bytes_done = Math.round(1_400_000 * part);
  run.chunks_done = Math.round(chunks * part);
  run.chunks_embedded = Math.round(run.chunks_done * 0.7);
  run.embedding_cache_hits = run.chunks_done - run.chunks_embedded;
  run.stage_seconds.batch = Math.max(3 * part, 0.1);
  run.eta_seconds = stage === "batch" ? Math.round(30 * (1 - part)) / 10 : null;
  return run;
}

export function finishRun(store, id) {
  const run = advanceRun(store, id, "publish", 1);
  const repository = store.repositories.get(run.repository_id);
  if (repository.history.length === 0) repository.history.push(snapshotOf(store, OLDER_COMMIT, 180_000));
  const snapshot = snapshotOf(store, COMMIT, 0);
  repository.history.unshift(snapshot);
  Object.assign(run, { state: "succeeded", stage: "done", snapshot_id: snapshot.snapshot_id, finished_at: ago(0) });
  run.stage_seconds.publish = 0.2;
  Object.assign(repository, { state: "ready", published: snapshot, default_branch: "main", error: null });
  return run;
}
