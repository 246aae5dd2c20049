import { Trans, useLingui } from "@lingui/react/macro";
import { Stack, Text, TextInput } from "@mantine/core";
import { IconFilter, IconUsers } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { DataTable } from "@/components/DataTable";
import { EmptyState } from "@/components/EmptyState";
import { Loaded } from "@/components/Loaded";
import { useScope } from "@/organizations/scope";
import { MemberRow } from "./MemberRow";
import { membersQuery } from "./queries";
import { administers } from "./roles";

const route = getRouteApi("/shell/o/$organization/people");

export function MembersTab() {
  const { t } = useLingui();
  const { organization } = useScope();
  const { name = "" } = route.useSearch();
  const navigate = route.useNavigate();
  const query = useQuery(membersQuery(organization.id));
  const wanted = name.toLowerCase();

  return (
    <Stack gap={8}>
      {!administers(organization.role) && (
        <Text size="sm" c="dimmed">
          <Trans>Administrators and owners invite people and change roles.</Trans>
        </Text>
      )}
      <TextInput
        size="xs"
        w={260}
        aria-label={t`Filter by name or address`}
        placeholder={t`Filter by name or address`}
        leftSection={<IconFilter size={14} />}
        value={name}
        onChange={(event) => {
          const value = event.currentTarget.value || undefined;
          void navigate({ search: (previous) => ({ ...previous, name: value }), replace: true });
        }}
      />
      <Loaded query={query}>
        {(members) => {
          const shown = members.filter((member) => `${member.name} ${member.email}`.toLowerCase().includes(wanted));
          if (shown.length === 0) {
            return <EmptyState icon={<IconUsers size={28} stroke={1.5} />} title={<Trans>Nobody matches the filter</Trans>} />;
          }
          return (
            <DataTable
              label={t`Members`}
              columns={[
                { label: <Trans>Person</Trans> },
                { label: <Trans>Role</Trans>, width: 190 },
                { label: <Trans>Joined</Trans>, width: 130 },
                { label: <Trans>Actions</Trans>, width: 110, align: "right" },
              ]}
            >
              {shown.map((member) => (
                <MemberRow key={member.user_id} member={member} />
              ))}
            </DataTable>
          );
        }}
      </Loaded>
    </Stack>
  );
}
