import { Trans, useLingui } from "@lingui/react/macro";
import { Box, Group, Stack, Table, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { session } from "@/api/session";
import type { SessionResponse } from "@/api/types";
import { ConfirmButton } from "@/components/ConfirmButton";
import { DataTable } from "@/components/DataTable";
import { Loaded } from "@/components/Loaded";
import { StateBadge } from "@/components/StateBadge";
import { When } from "@/components/When";
import { sessionsQuery, useEndAllSessions, useEndSession } from "./queries";

export function SessionsTab() {
  const { t } = useLingui();
  const query = useQuery(sessionsQuery);
  const endAll = useEndAllSessions();
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <Text size="sm" c="dimmed"><Trans>Browsers that are signed in as you. End whichever you do not know.</Trans></Text>
        <ConfirmButton
          label={<Trans>Sign out everywhere</Trans>}
          variant="default"
          size="xs"
          title={t`Sign out everywhere?`}
          consequence={<Trans>Every browser has to sign in again, this one too.</Trans>}
          action={<Trans>Sign out everywhere</Trans>}
          mutation={endAll}
          onConfirm={() => endAll.mutate(undefined, { onSuccess: () => session.close() })}
        />
      </Group>
      <Loaded query={query} rows={3}>
        {(sessions) => (
          <DataTable
            label={t`Sign-ins`}
            minWidth={760}
            columns={[
              { label: <Trans>Program</Trans> },
              { label: <Trans>From</Trans>, width: 150 },
              { label: <Trans>By</Trans>, width: 170 },
              { label: <Trans>Began</Trans>, width: 130 },
              { label: <Trans>Last use</Trans>, width: 130 },
              { label: <Trans>Actions</Trans>, width: 100, align: "right" },
            ]}
          >
            {sessions.map((one) => (
              <Row key={one.id} one={one} />
            ))}
          </DataTable>
        )}
      </Loaded>
    </Stack>
  );
}

function Row({ one }: { one: SessionResponse }) {
  const { t } = useLingui();
  const end = useEndSession();
  const methods: Record<string, string> = {
    password: t`password`,
    password_and_code: t`password and code`,
    identity_provider: t`identity provider`,
  };
  const called = one.user_agent || t`unknown program`;
  return (
    <Table.Tr>
      <Table.Td>
        <Group gap={8} wrap="nowrap">
          <Text size="sm" truncate title={called}>{called}</Text>
          {one.is_current && <Box flex="none"><StateBadge color="green" label={t`this one`} /></Box>}
        </Group>
      </Table.Td>
      <Table.Td ff="monospace" fz="xs">{one.address || "—"}</Table.Td>
      <Table.Td fz="xs">{methods[one.method] ?? one.method}</Table.Td>
      <Table.Td fz="xs"><When at={one.created_at} /></Table.Td>
      <Table.Td fz="xs"><When at={one.last_used_at} /></Table.Td>
      <Table.Td ta="right">
        {!one.is_current && (
          <ConfirmButton
            label={<Trans>End</Trans>}
            accessibleLabel={t`End the sign-in of ${called}`}
            title={t`End this sign-in?`}
            consequence={<Trans>That browser has to sign in again.</Trans>}
            action={<Trans>End sign-in</Trans>}
            mutation={end}
            onConfirm={(close) => end.mutate(one.id, { onSuccess: close })}
          />
        )}
      </Table.Td>
    </Table.Tr>
  );
}
