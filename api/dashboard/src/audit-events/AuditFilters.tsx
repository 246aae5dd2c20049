import { useLingui } from "@lingui/react/macro";
import { Group, Select, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { membersQuery } from "@/members/queries";
import { useScope } from "@/organizations/scope";
import { AREAS, type AuditSearch } from "./address";
import { useOutcomes } from "./outcomes";

const route = getRouteApi("/shell/o/$organization/audit");

export function AuditFilters() {
  const { t } = useLingui();
  const { organization } = useScope();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const outcomes = useOutcomes();
  const { data: members = [] } = useQuery(membersQuery(organization.id));
  const filter = (change: AuditSearch) =>
    void navigate({ search: (previous) => ({ ...previous, ...change }), replace: true, resetScroll: false });
  const actions = [...new Set<string>([...AREAS, ...(search.action ? [search.action] : [])])];

  return (
    <Group gap={8} align="flex-end">
      <Select
        size="xs"
        w={200}
        clearable
        searchable
        label={t`Action`}
        placeholder={t`Any action`}
        data={actions.map((action) => ({ value: action, label: action.endsWith(".") ? `${action}*` : action }))}
        value={search.action ?? null}
        onChange={(action) => filter({ action: action ?? undefined })}
      />
      <Select
        size="xs"
        w={240}
        clearable
        searchable
        label={t`Who`}
        placeholder={t`Anybody`}
        data={members.map((member) => ({ value: member.user_id, label: member.name || member.email }))}
        value={search.actor ?? null}
        onChange={(actor) => filter({ actor: actor ?? undefined })}
      />
      <Select
        size="xs"
        w={140}
        clearable
        label={t`Outcome`}
        placeholder={t`Any outcome`}
        data={Object.entries(outcomes).map(([value, { label }]) => ({ value, label }))}
        value={search.outcome ?? null}
        onChange={(outcome) => filter({ outcome: (outcome as AuditSearch["outcome"]) ?? undefined })}
      />
      <TextInput
        size="xs"
        type="date"
        label={t`From`}
        value={search.since ?? ""}
        max={search.until}
        onChange={(event) => filter({ since: event.currentTarget.value || undefined })}
      />
      <TextInput
        size="xs"
        type="date"
        label={t`Until`}
        value={search.until ?? ""}
        min={search.since}
        onChange={(event) => filter({ until: event.currentTarget.value || undefined })}
      />
    </Group>
  );
}
