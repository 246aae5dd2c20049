import { useLingui } from "@lingui/react/macro";
import type { TokenScope } from "@/api/types";

export const SCOPES: TokenScope[] = ["search", "answer", "index", "administer"];

export function useScopes(): Record<TokenScope, { label: string; meaning: string }> {
  const { t } = useLingui();
  return {
    search: { label: t`search`, meaning: t`Search, and read indexed code.` },
    answer: { label: t`answer`, meaning: t`Ask questions.` },
    index: { label: t`index`, meaning: t`Start, cancel and retry index runs.` },
    administer: { label: t`administer`, meaning: t`Change what its owner may change: repositories, projects, people.` },
  };
}
