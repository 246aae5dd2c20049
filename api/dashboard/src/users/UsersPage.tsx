import { Trans, useLingui } from "@lingui/react/macro";
import { Stack, Text, TextInput } from "@mantine/core";
import { IconFilter, IconUsers } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { meQuery } from "@/auth/queries";
import { DataTable } from "@/components/DataTable";
import { EmptyState } from "@/components/EmptyState";
import { Loaded } from "@/components/Loaded";
import { NotFound } from "@/components/NotFound";
import { Page } from "@/components/Page";
import { NewUserButton } from "./NewUserButton";
import { usersQuery } from "./queries";
import { UserRow } from "./UserRow";

const route = getRouteApi("/shell/users");

export function UsersPage() {
  const { t } = useLingui();
  const { data: me } = useQuery(meQuery);
  const isAdministrator = me?.user.is_instance_administrator ?? false;
  const query = useQuery({ ...usersQuery, enabled: isAdministrator });
  const { name = "" } = route.useSearch();
  const navigate = route.useNavigate();
  if (me && !isAdministrator) return <NotFound />;
  return (
    <Page title={t`Accounts`} actions={<NewUserButton />}>
      <Stack gap={8}>
        <Text size="sm" c="dimmed">
          <Trans>Everybody who can sign in to this server. What people may read is decided in their organizations.</Trans>
        </Text>
        <TextInput
          size="xs"
          w={260}
          aria-label={t`Filter by name or address`}
          placeholder={t`Filter by name or address`}
          leftSection={<IconFilter size={14} />}
          value={name}
          onChange={(event) => void navigate({ search: { name: event.currentTarget.value || undefined }, replace: true })}
        />
        <Loaded query={query} rows={10}>
          {(users) => {
            const shown = users.filter((user) => `${user.name} ${user.email}`.toLowerCase().includes(name.toLowerCase()));
            if (shown.length === 0) {
              return <EmptyState icon={<IconUsers size={28} stroke={1.5} />} title={<Trans>Nobody matches the filter</Trans>} />;
            }
            return (
              <DataTable
                label={t`Accounts`}
                columns={[
                  { label: <Trans>Person</Trans> },
                  { label: <Trans>State</Trans>, width: 150 },
                  { label: <Trans>Administers the server</Trans>, width: 190 },
                  { label: <Trans>Made</Trans>, width: 130 },
                  { label: <Trans>Actions</Trans>, width: 90, align: "right" },
                ]}
              >
                {shown.map((user) => (
                  <UserRow key={user.id} user={user} isSelf={user.id === me?.user.id} />
                ))}
              </DataTable>
            );
          }}
        </Loaded>
      </Stack>
    </Page>
  );
}
