import { Trans, useLingui } from "@lingui/react/macro";
import { Table, Text } from "@mantine/core";
import { IconMailOff } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import type { InvitationResponse } from "@/api/types";
import { ConfirmButton } from "@/components/ConfirmButton";
import { DataTable } from "@/components/DataTable";
import { EmptyState } from "@/components/EmptyState";
import { Loaded } from "@/components/Loaded";
import { StateBadge } from "@/components/StateBadge";
import { When } from "@/components/When";
import { membersQuery } from "@/members/queries";
import { useOrganizationRoles } from "@/members/roles";
import { useScope } from "@/organizations/scope";
import { invitationsQuery, useRevokeInvitation } from "./queries";

const COLORS: Record<InvitationResponse["state"], string> = { open: "blue", accepted: "green", revoked: "gray", expired: "gray" };

export function InvitationsTab() {
  const { t } = useLingui();
  const { organization } = useScope();
  const query = useQuery(invitationsQuery(organization.id));
  return (
    <Loaded query={query}>
      {(invitations) =>
        invitations.length === 0 ? (
          <EmptyState icon={<IconMailOff size={28} stroke={1.5} />} title={<Trans>No invitations yet</Trans>}>
            <Trans>An invitation is a link that lets one person into the organization, with the role that you choose.</Trans>
          </EmptyState>
        ) : (
          <DataTable
            label={t`Invitations`}
            columns={[
              { label: <Trans>For whom</Trans> },
              { label: <Trans>Role</Trans>, width: 130 },
              { label: <Trans>State</Trans>, width: 130 },
              { label: <Trans>Made</Trans>, width: 130 },
              { label: <Trans>Ends</Trans>, width: 130 },
              { label: <Trans>Actions</Trans>, width: 110, align: "right" },
            ]}
          >
            {[...invitations].sort((one, other) => other.created_at.localeCompare(one.created_at)).map((invitation) => (
              <Row key={invitation.id} invitation={invitation} />
            ))}
          </DataTable>
        )
      }
    </Loaded>
  );
}

function Row({ invitation }: { invitation: InvitationResponse }) {
  const { t } = useLingui();
  const { organization } = useScope();
  const roles = useOrganizationRoles();
  const { data: members } = useQuery(membersQuery(organization.id));
  const revoke = useRevokeInvitation(organization.id);
  const accepted = members?.find((member) => member.user_id === invitation.accepted_by);
  const whom = invitation.note || accepted?.name || t`without a note`;
  const states = { open: t`open`, accepted: t`accepted`, revoked: t`revoked`, expired: t`expired` };
  return (
    <Table.Tr>
      <Table.Td>
        <Text size="sm" truncate c={invitation.note ? undefined : "dimmed"}>{whom}</Text>
        {invitation.note && accepted && <Text size="xs" c="dimmed" truncate>{accepted.email}</Text>}
      </Table.Td>
      <Table.Td>{roles[invitation.role].label}</Table.Td>
      <Table.Td><StateBadge color={COLORS[invitation.state]} label={states[invitation.state]} /></Table.Td>
      <Table.Td fz="xs"><When at={invitation.created_at} /></Table.Td>
      <Table.Td fz="xs"><When at={invitation.expires_at} /></Table.Td>
      <Table.Td ta="right">
        {invitation.state === "open" && (
          <ConfirmButton
            label={<Trans>Revoke</Trans>}
            accessibleLabel={t`Revoke the invitation ${whom}`}
            title={t`Revoke this invitation?`}
            consequence={<Trans>The link stops working at once.</Trans>}
            action={<Trans>Revoke invitation</Trans>}
            mutation={revoke}
            onConfirm={(close) => revoke.mutate(invitation.id, { onSuccess: close })}
          />
        )}
      </Table.Td>
    </Table.Tr>
  );
}
