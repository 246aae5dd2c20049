import { Trans, useLingui } from "@lingui/react/macro";
import { Badge, Group, Select, Table, Text } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useQuery } from "@tanstack/react-query";
import type { MemberResponse, OrganizationRole } from "@/api/types";
import { meQuery } from "@/auth/queries";
import { ConfirmButton } from "@/components/ConfirmButton";
import { PersonCell } from "@/components/PersonCell";
import { useNotice } from "@/components/use-notice";
import { When } from "@/components/When";
import { useScope } from "@/organizations/scope";
import { useChangeMember, useLeaveOrganization, useRemoveMember } from "./queries";
import { grantableRoles, mayChangeMember, useOrganizationRoles } from "./roles";

export function MemberRow({ member }: { member: MemberResponse }) {
  const { t } = useLingui();
  const { organization } = useScope();
  const { data: me } = useQuery(meQuery);
  const roles = useOrganizationRoles();
  const change = useChangeMember(organization.id);
  const notice = useNotice();
  const isSelf = me?.user.id === member.user_id;
  const mayChange = mayChangeMember(organization.role, member.role);
  const called = member.name || member.email;

  const changeRole = (role: OrganizationRole) => {
    if (role === member.role) return;
    change.mutate(
      { user_id: member.user_id, role },
      { onSuccess: () => notice.done(t`${called} is ${roles[role].label} now.`), onError: notice.failed },
    );
  };

  return (
    <Table.Tr>
      <Table.Td>
        <Group gap={8} wrap="nowrap">
          <div style={{ minWidth: 0 }}>
            <PersonCell name={member.name} email={member.email} isSelf={isSelf} />
          </div>
          {!member.is_active && <Badge color="gray"><Trans>deactivated</Trans></Badge>}
        </Group>
      </Table.Td>
      <Table.Td>
        {mayChange ? (
          <Select
            size="xs"
            aria-label={t`Role of ${called}`}
            allowDeselect={false}
            disabled={change.isPending}
            data={grantableRoles(organization.role).map((role) => ({ value: role, label: roles[role].label }))}
            value={member.role}
            onChange={(role) => role && changeRole(role as OrganizationRole)}
          />
        ) : (
          <Text size="sm">{roles[member.role].label}</Text>
        )}
      </Table.Td>
      <Table.Td fz="xs"><When at={member.joined_at} /></Table.Td>
      <Table.Td ta="right">
        {isSelf ? <Leave /> : mayChange && <Remove member={member} called={called} />}
      </Table.Td>
    </Table.Tr>
  );
}

function Remove({ member, called }: { member: MemberResponse; called: string }) {
  const { t } = useLingui();
  const { organization } = useScope();
  const remove = useRemoveMember(organization.id);
  const notice = useNotice();
  return (
    <ConfirmButton
      label={<Trans>Remove</Trans>}
      accessibleLabel={t`Remove ${called}`}
      title={t`Remove ${called} from ${organization.name}?`}
      consequence={<Trans>They lose every project and team of the organization at once. Their account stays.</Trans>}
      action={<Trans>Remove member</Trans>}
      mutation={remove}
      onConfirm={(close) =>
        remove.mutate(member.user_id, {
          onSuccess: () => {
            close();
            notice.done(t`${called} was removed.`);
          },
        })
      }
    />
  );
}

function Leave() {
  const { t } = useLingui();
  const { organization } = useScope();
  const leave = useLeaveOrganization(organization.id);
  const navigate = useNavigate();
  return (
    <ConfirmButton
      label={<Trans>Leave</Trans>}
      accessibleLabel={t`Leave the organization`}
      title={t`Leave ${organization.name}?`}
      consequence={<Trans>You lose its projects at once. To come back you need a new invitation.</Trans>}
      action={<Trans>Leave</Trans>}
      mutation={leave}
      onConfirm={() => leave.mutate(undefined, { onSuccess: () => navigate({ to: "/" }) })}
    />
  );
}
