import type { MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";
import { useLingui } from "@lingui/react/macro";
import type { IndexRunResponse } from "@/api/types";
import { StateBadge } from "@/components/StateBadge";

const STATES: Record<IndexRunResponse["state"], { color: string; label: MessageDescriptor }> = {
  queued: { color: "gray", label: msg`queued` },
  running: { color: "blue", label: msg`running` },
  succeeded: { color: "green", label: msg`succeeded` },
  failed: { color: "red", label: msg`failed` },
  cancelled: { color: "gray", label: msg`cancelled` },
};

export function RunState({ state }: { state: IndexRunResponse["state"] }) {
  const { i18n } = useLingui();
  return <StateBadge color={STATES[state].color} label={i18n._(STATES[state].label)} />;
}
