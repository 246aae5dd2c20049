import { useLingui } from "@lingui/react/macro";
import type { AuditEventResponse } from "@/api/types";

export function useOutcomes(): Record<AuditEventResponse["outcome"], { label: string; color: string }> {
  const { t } = useLingui();
  return {
    succeeded: { label: t`succeeded`, color: "green" },
    denied: { label: t`denied`, color: "yellow" },
    failed: { label: t`failed`, color: "red" },
  };
}
