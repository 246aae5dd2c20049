import { useLingui } from "@lingui/react/macro";
import type { Visibility } from "@/api/types";

export function useVisibilities(): Record<Visibility, { label: string; meaning: string }> {
  const { t } = useLingui();
  return {
    private: { label: t`private`, meaning: t`Only people and teams that are named, and the organization's administrators.` },
    organization: { label: t`organization`, meaning: t`Every member of the organization reads it.` },
  };
}
