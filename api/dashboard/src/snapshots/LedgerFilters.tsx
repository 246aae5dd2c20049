import { useLingui } from "@lingui/react/macro";
import { Group, SegmentedControl, Select, TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { IconFolder } from "@tabler/icons-react";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import type { LedgerSummary } from "@/api/types";
import { useFormat } from "@/format/use-format";
import type { RepositorySearch } from "@/repositories/address";
import { reasonLabel } from "./reasons";

const route = getRouteApi("/shell/o/$organization/repositories/$repositoryId");

export function LedgerFilters({ reasons }: { reasons: LedgerSummary["by_reason"] }) {
  const { t, i18n } = useLingui();
  const format = useFormat();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [prefix, setPrefix] = useState(search.prefix ?? "");
  const filter = (change: RepositorySearch) =>
    void navigate({ search: (previous) => ({ ...previous, ...change }), replace: true, resetScroll: false });
  const filterPrefix = useDebouncedCallback((value: string) => filter({ prefix: value || undefined }), 250);

  return (
    <Group gap={8}>
      <SegmentedControl
        size="xs"
        aria-label={t`Status`}
        value={search.status ?? "all"}
        onChange={(value) =>
          filter({
            status: value === "all" ? undefined : (value as RepositorySearch["status"]),
            ...(value === "skipped" ? {} : { reason: undefined }),
          })
        }
        data={[
          { value: "all", label: t`All` },
          { value: "indexed", label: t`Indexed` },
          { value: "skipped", label: t`Skipped` },
        ]}
      />
      <Select
        size="xs"
        w={260}
        clearable
        aria-label={t`Reason`}
        placeholder={t`Any reason`}
        value={search.reason ?? null}
        onChange={(reason) => filter({ reason: reason ?? undefined, ...(reason ? { status: "skipped" } : {}) })}
        data={reasons.map(({ reason, count }) => ({
          value: reason,
          label: `${reasonLabel(reason, (message) => i18n._(message))} (${format.count(count)})`,
        }))}
      />
      <TextInput
        size="xs"
        w={260}
        aria-label={t`Path starts with`}
        placeholder={t`Path starts with`}
        leftSection={<IconFolder size={14} />}
        value={prefix}
        onChange={(event) => {
          setPrefix(event.currentTarget.value);
          filterPrefix(event.currentTarget.value);
        }}
      />
    </Group>
  );
}
