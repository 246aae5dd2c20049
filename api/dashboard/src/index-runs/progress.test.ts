import { describe, expect, it } from "vitest";
import type { IndexRunResponse } from "@/api/types";
import { runFixture } from "@/testing/fixtures";
import { elapsedOf, etaOf, fractionOf, isActive, rateOf, stepsOf } from "./progress";

const states = (run: IndexRunResponse) => stepsOf(run).map((step) => step.state);

describe("stepsOf", () => {
  it.each([
    [runFixture({ state: "queued" }), ["waiting", "waiting", "waiting", "waiting"]],
    [runFixture({ state: "running", stage: "plan" }), ["done", "active", "waiting", "waiting"]],
    [runFixture({ state: "failed", stage: "batch" }), ["done", "done", "failed", "waiting"]],
    [runFixture({ state: "cancelled", stage: "sync" }), ["cancelled", "waiting", "waiting", "waiting"]],
    [runFixture({ state: "succeeded", stage: "done" }), ["done", "done", "done", "done"]],
  ])("shows where the run is (%#)", (run, expected) => {
    expect(states(run)).toEqual(expected);
  });
});

describe("fractionOf", () => {
  it("is unknown before the run has started", () => {
    expect(fractionOf(runFixture({ state: "queued" }))).toBeNull();
  });

  it("never goes back from one stage to the next", () => {
    const run = { state: "running", files_total: 10 } as const;
    const fractions = [
      fractionOf(runFixture({ ...run, stage: "sync" })),
      fractionOf(runFixture({ ...run, stage: "plan" })),
      fractionOf(runFixture({ ...run, stage: "batch", files_done: 0 })),
      fractionOf(runFixture({ ...run, stage: "batch", files_done: 5 })),
      fractionOf(runFixture({ ...run, stage: "batch", files_done: 10 })),
      fractionOf(runFixture({ ...run, stage: "publish", files_done: 10 })),
      fractionOf(runFixture({ state: "succeeded", stage: "done" })),
    ];
    expect(fractions).toEqual([...fractions].sort((one, other) => (one ?? 0) - (other ?? 0)));
    expect(fractions.at(-1)).toBe(1);
  });

  it("stays within the whole when more files are done than were planned", () => {
    expect(fractionOf(runFixture({ state: "running", stage: "batch", files_total: 2, files_done: 9 }))).toBeLessThanOrEqual(1);
  });

  it("counts batches when there are no files to count", () => {
    const run = runFixture({ state: "running", stage: "batch", batches_total: 4, batches_done: 2 });
    expect(fractionOf(run)).toBeCloseTo(0.12 + 0.42);
  });
});

describe("rateOf and etaOf", () => {
  const seconds = (batch: number) => ({ sync: 0, plan: 0, batch, publish: 0, embed: 0 });

  it("says nothing from too little time", () => {
    expect(rateOf(runFixture({ files_done: 5, stage_seconds: seconds(0.2) }))).toBeNull();
  });

  it("prefers the estimate of the server", () => {
    expect(etaOf(runFixture({ state: "running", stage: "batch", eta_seconds: 42 }))).toBe(42);
  });

  it("estimates from the rate of the batches", () => {
    const run = runFixture({ state: "running", stage: "batch", files_total: 100, files_done: 25, stage_seconds: seconds(5) });
    expect(rateOf(run)).toBe(5);
    expect(etaOf(run)).toBe(15);
  });

  it("has none for a run that is over", () => {
    expect(etaOf(runFixture({ state: "failed", eta_seconds: 3 }))).toBeNull();
  });
});

it("measures a finished run by its end, not by now", () => {
  const run = runFixture({ started_at: "2026-01-01T00:00:00Z", finished_at: "2026-01-01T00:00:30Z" });
  expect(elapsedOf(run, Date.parse("2026-02-01T00:00:00Z"))).toBe(30);
});

it("takes no run for an inactive one", () => {
  expect(isActive(null)).toBe(false);
});
