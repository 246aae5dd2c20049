import type { IndexRunResponse } from "@/api/types";

export function runFixture(parts: Partial<IndexRunResponse> = {}): IndexRunResponse {
  return {
    id: "9d3f0c52-0000-4000-8000-000000000001",
    repository_id: "9d3f0c52-0000-4000-8000-000000000002",
    branch: "main",
    state: "running",
    stage: "sync",
    trigger: "added",
    commit: null,
    snapshot_id: null,
    files_seen: 0,
    files_total: 0,
    files_done: 0,
    chunks_done: 0,
    chunks_embedded: 0,
    embedding_cache_hits: 0,
    batches_total: 0,
    batches_done: 0,
    bytes_total: 0,
    bytes_done: 0,
    attempts: 1,
    eta_seconds: null,
    error: null,
    stage_seconds: { sync: 0, plan: 0, batch: 0, publish: 0, embed: 0 },
    created_at: "2026-01-01T00:00:00Z",
    started_at: null,
    finished_at: null,
    ...parts,
  };
}
