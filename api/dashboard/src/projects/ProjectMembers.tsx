import { Trans, useLingui } from "@lingui/react/macro";
import { Box, Table } from "@mantine/core";
import { IconUsers } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { ProjectResponse, ProjectRole } from "@/api/types";
import { ConfirmButton } from "@/components/ConfirmButton";
import { DataTable } from "@/components/DataTable";
import { EmptyState } from "@/components/EmptyState";
import { Loaded } from "@/components/Loaded";
import { Panel } from "@/components/Panel";
import { PersonCell } from "@/components/PersonCell";
import { useNotice } from "@/components/use-notice";
import { PersonPicker } from "@/members/PersonPicker";
import { ProjectRoleSelect, useProjectRoles } from "@/members/roles";
import { projectMembersQuery, useRemoveProjectMember, useSetProjectMember } from "./sharing";

export function ProjectMembers({ project, mayManage }: { project: ProjectResponse; mayManage: boolean }) {
  const { t } = useLingui();
  const roles = useProjectRoles();
  const query = useQuery(projectMembersQuery(project.id));
  const set = useSetProjectMember(project.id);
  const remove = useRemoveProjectMember(project.id);
  const notice = useNotice();
  const [role, setRole] = useState<ProjectRole>("reader");
  return (
    <Panel title={<Trans>People with a role of their own</Trans>} padded={false}>
      {mayManage && (
        <Box p="md">
          <PersonPicker
            without={query.data?.map((member) => member.user_id) ?? []}
            pending={set.isPending}
            onAdd={(user_id) => set.mutate({ user_id, role }, { onError: notice.failed })}
          >
            <ProjectRoleSelect label={t`Role of the person`} value={role} onChange={setRole} />
          </PersonPicker>
        </Box>
      )}
      <Loaded query={query} rows={3}>
        {(members) =>
          members.length === 0 ? (
            <EmptyState icon={<IconUsers size={28} stroke={1.5} />} title={<Trans>Nobody is named</Trans>}>
              {project.visibility === "organization" ? (
                <Trans>Every member of the organization reads this project all the same.</Trans>
              ) : (
                <Trans>Only teams below and the organization's administrators reach this project.</Trans>
              )}
            </EmptyState>
          ) : (
            <DataTable
              label={t`People with a role of their own`}
              columns={[
                { label: <Trans>Person</Trans> },
                { label: <Trans>Role</Trans>, width: 170 },
                ...(mayManage ? [{ label: <Trans>Actions</Trans>, width: 110, align: "right" as const }] : []),
              ]}
            >
              {members.map((member) => {
                const called = member.name || member.email;
                return (
                  <Table.Tr key={member.user_id}>
                    <Table.Td><PersonCell name={member.name} email={member.email} /></Table.Td>
                    <Table.Td>
                      {mayManage ? (
                        <ProjectRoleSelect
                          label={t`Role of ${called}`}
                          value={member.role}
                          disabled={set.isPending}
                          onChange={(next) => set.mutate({ user_id: member.user_id, role: next }, { onError: notice.failed })}
                        />
                      ) : (
                        roles[member.role]
                      )}
                    </Table.Td>
                    {mayManage && (
                      <Table.Td ta="right">
                        <ConfirmButton
                          label={<Trans>Remove</Trans>}
                          accessibleLabel={t`Remove ${called}`}
                          title={t`Remove ${called} from ${project.name}?`}
                          consequence={<Trans>Their own role ends at once. What they have through teams or the project's visibility stays.</Trans>}
                          action={<Trans>Remove from the project</Trans>}
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
