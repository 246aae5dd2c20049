// sync → plan → batches → publish, each with its own counts.
import { Plural, Trans } from "@lingui/react/macro";
import { Stepper } from "@mantine/core";
import { IconAlertTriangle, IconBan } from "@tabler/icons-react";
import type { ReactNode } from "react";
import type { IndexRunResponse } from "@/api/types";
import { formatDuration } from "@/format/time";
import { useFormat } from "@/format/use-format";
import { type Stage, type Step, stepsOf } from "./progress";
import classes from "./RunSteps.module.css";

const LABELS: Record<Stage, ReactNode> = {
  sync: <Trans>Sync</Trans>,
  plan: <Trans>Plan</Trans>,
  batch: <Trans>Batches</Trans>,
  publish: <Trans>Publish</Trans>,
};

export function RunSteps({ run }: { run: IndexRunResponse }) {
  const steps = stepsOf(run);
  const current = steps.findIndex((step) => step.state !== "done");
  return (
    <Stepper active={current < 0 ? steps.length : current} size="xs" iconSize={26} classNames={classes} allowNextStepsSelect={false}>
      {steps.map((step) => (
        <Stepper.Step
          key={step.stage}
          component="div"
          label={LABELS[step.stage]}
          description={<Counts run={run} step={step} />}
          loading={step.state === "active"}
          color={step.state === "failed" ? "red" : step.state === "done" ? "green" : undefined}
          icon={iconOf(step)}
          data-state={step.state}
        />
      ))}
    </Stepper>
  );
}

function iconOf(step: Step) {
  if (step.state === "failed") return <IconAlertTriangle size={14} />;
  if (step.state === "cancelled") return <IconBan size={14} />;
  return undefined;
}

function Counts({ run, step }: { run: IndexRunResponse; step: Step }) {
  const format = useFormat();
  const { count } = format;
  const parts: ReactNode[] = [];
  if (step.state === "waiting") return <>—</>;
  if (step.stage === "plan" && (run.files_seen > 0 || step.state === "done")) {
    parts.push(<Trans key="files">{count(run.files_total)} changed of {count(run.files_seen)} files</Trans>);
  }
  if (step.stage === "batch") {
    parts.push(<Trans key="files">{count(run.files_done)} of {count(run.files_total)} files</Trans>);
    if (run.batches_total > 0) parts.push(<Trans key="batches">batch {count(run.batches_done)} of {count(run.batches_total)}</Trans>);
    if (run.bytes_total > 0) parts.push(<Trans key="bytes">{format.bytes(run.bytes_done)} of {format.bytes(run.bytes_total)}</Trans>);
    parts.push(<Plural key="chunks" value={run.chunks_done} one="# chunk" other="# chunks" />);
    if (run.chunks_embedded + run.embedding_cache_hits > 0) {
      parts.push(<Trans key="embedded">{count(run.chunks_embedded)} embedded, {count(run.embedding_cache_hits)} from cache</Trans>);
    }
  }
  if (step.stage === "publish" && run.snapshot_id != null && step.state === "done") {
    parts.push(<Trans key="snapshot">snapshot {run.snapshot_id}</Trans>);
  }
  if (step.seconds !== null) parts.push(formatDuration(step.seconds));
  return parts.map((part, index) => <div key={index}>{part}</div>);
}
