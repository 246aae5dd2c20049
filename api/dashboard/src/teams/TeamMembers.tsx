import { Trans, useLingui } from "@lingui/react/macro";
import { Box, Table } from "@mantine/core";
import { IconUsers } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import type { TeamResponse } from "@/api/types";
import { ConfirmButton } from "@/components/ConfirmButton";
import { DataTable } from "@/components/DataTable";
import { EmptyState } from "@/components/EmptyState";
import { Loaded } from "@/components/Loaded";
import { Panel } from "@/components/Panel";
import { PersonCell } from "@/components/PersonCell";
import { useNotice } from "@/components/use-notice";
import { When } from "@/components/When";
import { PersonPicker } from "@/members/PersonPicker";
import { teamMembersQuery, useAddTeamMember, useRemoveTeamMember } from "./queries";

export function TeamMembers({ team, mayManage }: { team: TeamResponse; mayManage: boolean }) {
  const { t } = useLingui();
  const query = useQuery(teamMembersQuery(team.id));
  const add = useAddTeamMember(team.id);
  const remove = useRemoveTeamMember(team.id);
  const notice = useNotice();
  return (
    <Panel title={<Trans>Members</Trans>} padded={false}>
      {mayManage && (
        <Box p="md">
          <PersonPicker
            without={query.data?.map((member) => member.user_id) ?? []}
            pending={add.isPending}
            onAdd={(userId) => add.mutate(userId, { onError: notice.failed })}
          />
        </Box>
      )}
      <Loaded query={query} rows={3}>
        {(members) =>
          members.length === 0 ? (
            <EmptyState icon={<IconUsers size={28} stroke={1.5} />} title={<Trans>Nobody is in this team yet</Trans>} />
          ) : (
            <DataTable
              label={t`Members of the team`}
              columns={[
                { label: <Trans>Person</Trans> },
                { label: <Trans>Added</Trans>, width: 130 },
                ...(mayManage ? [{ label: <Trans>Actions</Trans>, width: 110, align: "right" as const }] : []),
              ]}
            >
              {members.map((member) => {
                const called = member.name || member.email;
                return (
                  <Table.Tr key={member.user_id}>
                    <Table.Td><PersonCell name={member.name} email={member.email} /></Table.Td>
                    <Table.Td fz="xs"><When at={member.added_at} /></Table.Td>
                    {mayManage && (
                      <Table.Td ta="right">
                        <ConfirmButton
                          label={<Trans>Remove</Trans>}
                          accessibleLabel={t`Remove ${called}`}
                          title={t`Remove ${called} from ${team.name}?`}
                          consequence={<Trans>They lose the projects that they have through this team alone.</Trans>}
                          action={<Trans>Remove from the team</Trans>}
                          mutation={remove}
                          onConfirm={(close) => remove.mutate(member.user_id, { onSuccess: close })}
                        />
                      </Table.Td>
                    )}
                  </Table.Tr>
                );
              })}
            </DataTable>
          )
        }
      </Loaded>
    </Panel>
  );
}
