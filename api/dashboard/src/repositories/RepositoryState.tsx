import { useLingui } from "@lingui/react/macro";
import type { MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";
import type { RepositoryResponse } from "@/api/types";
import { StateBadge } from "@/components/StateBadge";

const STATES: Record<RepositoryResponse["state"], { color: string; label: MessageDescriptor }> = {
  ready: { color: "green", label: msg`ready` },
  indexing: { color: "blue", label: msg`indexing` },
  pending: { color: "gray", label: msg`pending` },
  failed: { color: "red", label: msg`failed` },
  empty: { color: "gray", label: msg`empty` },
  deleting: { color: "gray", label: msg`deleting` },
};

export function RepositoryState({ state }: { state: RepositoryResponse["state"] }) {
  const { i18n } = useLingui();
  return <StateBadge color={STATES[state].color} label={i18n._(STATES[state].label)} />;
}
