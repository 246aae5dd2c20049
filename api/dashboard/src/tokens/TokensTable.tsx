import { Trans, useLingui } from "@lingui/react/macro";
import { Badge, Group, Table, Text } from "@mantine/core";
import { IconKeyOff } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import type { ApiTokenResponse } from "@/api/types";
import { ConfirmButton } from "@/components/ConfirmButton";
import { DataTable } from "@/components/DataTable";
import { EmptyState } from "@/components/EmptyState";
import { StateBadge } from "@/components/StateBadge";
import { When } from "@/components/When";
import { membersQuery } from "@/members/queries";
import { useScope } from "@/organizations/scope";
import { serviceAccountsQuery, useRevokeToken } from "./queries";
import { useScopes } from "./scopes";
import { stateOf } from "./state";

interface Props {
  tokens: ApiTokenResponse[];
  isOwn: boolean;
}

export function TokensTable({ tokens, isOwn }: Props) {
  const { t } = useLingui();
  if (tokens.length === 0) {
    return (
      <EmptyState icon={<IconKeyOff size={28} stroke={1.5} />} title={<Trans>No tokens yet</Trans>}>
        <Trans>A token lets a program search, ask or index as its owner, with less rights if you like, until it ends.</Trans>
      </EmptyState>
    );
  }
  return (
    <DataTable
      label={t`API tokens`}
      minWidth={900}
      columns={[
        { label: <Trans>Token</Trans> },
        { label: <Trans>Scopes</Trans>, width: "26%" },
        { label: <Trans>State</Trans>, width: 120 },
        { label: <Trans>Ends</Trans>, width: 120 },
        { label: <Trans>Last use</Trans>, width: 120 },
        { label: <Trans>Actions</Trans>, width: 100, align: "right" },
      ]}
    >
      {tokens.map((token) => (
        <Row key={token.id} token={token} isOwn={isOwn} />
      ))}
    </DataTable>
  );
}

function Row({ token, isOwn }: { token: ApiTokenResponse; isOwn: boolean }) {
  const { t } = useLingui();
  const { organization, projects } = useScope();
  const scopes = useScopes();
  const revoke = useRevokeToken(organization.id, isOwn);
  const { data: members = [] } = useQuery({ ...membersQuery(organization.id), enabled: !isOwn });
  const { data: services = [] } = useQuery({ ...serviceAccountsQuery(organization.id), enabled: !isOwn });
  const state = stateOf(token);
  const states = {
    active: <StateBadge color="green" label={t`active`} />,
    expired: <StateBadge color="gray" label={t`ended`} />,
    revoked: <StateBadge color="gray" label={t`revoked`} />,
  };
  const owner =
    members.find((member) => member.user_id === token.user_id)?.name ?? services.find((service) => service.id === token.user_id)?.name;
  const restricted = token.project_ids?.map((id) => projects.find((project) => project.id === id)?.name ?? t`a project you do not see`);
  return (
    <Table.Tr>
      <Table.Td>
        <Text size="sm" fw={500} truncate>{token.name}</Text>
        {!isOwn && owner && <Text size="xs" c="dimmed" truncate>{owner}</Text>}
        {restricted && <Text size="xs" c="dimmed" truncate title={restricted.join(", ")}><Trans>only {restricted.join(", ")}</Trans></Text>}
        {token.addresses && <Text size="xs" c="dimmed" ff="monospace" truncate>{token.addresses.join(", ")}</Text>}
      </Table.Td>
      <Table.Td>
        <Group gap={4}>
          {token.scopes.map((scope) => (
            <Badge key={scope} color="gray" title={scopes[scope].meaning}>{scopes[scope].label}</Badge>
          ))}
        </Group>
      </Table.Td>
      <Table.Td>{states[state]}</Table.Td>
      <Table.Td fz="xs"><When at={token.expires_at} /></Table.Td>
      <Table.Td fz="xs">{token.last_used_at ? <When at={token.last_used_at} /> : <Trans>never</Trans>}</Table.Td>
      <Table.Td ta="right">
        {state === "active" && (
          <ConfirmButton
            label={<Trans>Revoke</Trans>}
            accessibleLabel={t`Revoke ${token.name}`}
            title={t`Revoke ${token.name}?`}
            consequence={<Trans>Programs that use it are refused from their next request on.</Trans>}
            action={<Trans>Revoke token</Trans>}
            mutation={revoke}
            onConfirm={(close) => revoke.mutate(token.id, { onSuccess: close })}
          />
        )}
      </Table.Td>
    </Table.Tr>
  );
}
