// What an index run's counts say: how far each stage is, how fast it goes, how long it may take.
import type { IndexRunResponse } from "@/api/types";

export const STAGES = ["sync", "plan", "batch", "publish"] as const;
export type Stage = (typeof STAGES)[number];
export type StepState = "waiting" | "active" | "done" | "failed" | "cancelled";

export interface Step {
  stage: Stage;
  state: StepState;
  seconds: number | null;
}

/** How much of a run each stage tends to take; only the batches report counts while they work. */
const WEIGHTS: Record<Stage, number> = { sync: 0.08, plan: 0.04, batch: 0.84, publish: 0.04 };

/** A rate over less than this is noise. */
const SHORTEST_RATE_SECONDS = 1;

export function isActive(run: IndexRunResponse | null | undefined): run is IndexRunResponse {
  return run?.state === "queued" || run?.state === "running";
}

export function stepsOf(run: IndexRunResponse): Step[] {
  const current = run.stage === "done" ? STAGES.length : STAGES.indexOf(run.stage);
  return STAGES.map((stage, index) => ({
    stage,
    state: stepState(run, index, current),
    seconds: run.stage_seconds[stage] > 0 ? run.stage_seconds[stage] : null,
  }));
}

function stepState(run: IndexRunResponse, index: number, current: number): StepState {
  if (run.state === "succeeded" || index < current) return "done";
  if (index > current || run.state === "queued") return "waiting";
  if (run.state === "failed" || run.state === "cancelled") return run.state;
  return "active";
}

/** The part of the batches that is done, or null when there is nothing to count yet. */
export function batchFraction(run: IndexRunResponse): number | null {
  if (run.files_total > 0) return Math.min(run.files_done / run.files_total, 1);
  if (run.batches_total > 0) return Math.min(run.batches_done / run.batches_total, 1);
  return null;
}

/** The part of the whole run that is done, or null for a run that has not started. */
export function fractionOf(run: IndexRunResponse): number | null {
  if (run.state === "succeeded") return 1;
  if (run.state === "queued") return null;
  const current = run.stage === "done" ? STAGES.length : STAGES.indexOf(run.stage);
  const before = STAGES.slice(0, current).reduce((sum, stage) => sum + WEIGHTS[stage], 0);
  const within = run.stage === "batch" ? (batchFraction(run) ?? 0) * WEIGHTS.batch : 0;
  return Math.min(before + within, 1);
}

/** Files per second in the batches, or null before there is enough to tell. */
export function rateOf(run: IndexRunResponse): number | null {
  const seconds = run.stage_seconds.batch;
  if (run.files_done === 0 || seconds < SHORTEST_RATE_SECONDS) return null;
  return run.files_done / seconds;
}

/** The server's estimate, or one from the rate when it has none. */
export function etaOf(run: IndexRunResponse): number | null {
  if (run.state !== "running") return null;
  if (run.eta_seconds != null) return run.eta_seconds;
  const rate = rateOf(run);
  if (run.stage !== "batch" || rate === null) return null;
  return Math.max(run.files_total - run.files_done, 0) / rate;
}

export function elapsedOf(run: IndexRunResponse, now = Date.now()): number | null {
  if (!run.started_at) return null;
  const end = run.finished_at ? Date.parse(run.finished_at) : now;
  return Math.max(end - Date.parse(run.started_at), 0) / 1000;
}
