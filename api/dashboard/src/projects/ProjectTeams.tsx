import { Trans, useLingui } from "@lingui/react/macro";
import { Anchor, Box, Table } from "@mantine/core";
import { IconUsersGroup } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ProjectResponse } from "@/api/types";
import { ConfirmButton } from "@/components/ConfirmButton";
import { DataTable } from "@/components/DataTable";
import { EmptyState } from "@/components/EmptyState";
import { Loaded } from "@/components/Loaded";
import { Panel } from "@/components/Panel";
import { useNotice } from "@/components/use-notice";
import { When } from "@/components/When";
import { ProjectRoleSelect, useProjectRoles } from "@/members/roles";
import { useScope } from "@/organizations/scope";
import { teamsQuery } from "@/teams/queries";
import { SharePicker } from "./SharePicker";
import { projectTeamsQuery, useShareProject, useUnshareProject } from "./sharing";

export function ProjectTeams({ project, mayManage }: { project: ProjectResponse; mayManage: boolean }) {
  const { t } = useLingui();
  const { organization } = useScope();
  const roles = useProjectRoles();
  const query = useQuery(projectTeamsQuery(project.id));
  const { data: teams = [] } = useQuery({ ...teamsQuery(organization.id), enabled: mayManage });
  const share = useShareProject();
  const unshare = useUnshareProject();
  const notice = useNotice();
  const shared = new Set(query.data?.map((one) => one.team_id));
  return (
    <Panel title={<Trans>Teams</Trans>} padded={false}>
      {mayManage && (
        <Box p="md">
          <SharePicker
            label={t`Team`}
            placeholder={t`Choose a team`}
            nothingLeft={t`There is no other team`}
            choices={teams.filter((team) => !shared.has(team.id)).map(({ id, name }) => ({ value: id, label: name }))}
            pending={share.isPending}
            onShare={(team_id, role) => share.mutate({ project_id: project.id, team_id, role }, { onError: notice.failed })}
          />
        </Box>
      )}
      <Loaded query={query} rows={3}>
        {(rows) =>
          rows.length === 0 ? (
            <EmptyState icon={<IconUsersGroup size={28} stroke={1.5} />} title={<Trans>The project is shared with no team</Trans>} />
          ) : (
            <DataTable
              label={t`Teams`}
              columns={[
                { label: <Trans>Team</Trans> },
                { label: <Trans>Role</Trans>, width: 170 },
                { label: <Trans>Shared</Trans>, width: 130 },
                ...(mayManage ? [{ label: <Trans>Actions</Trans>, width: 110, align: "right" as const }] : []),
              ]}
            >
              {rows.map((row) => (
                <Table.Tr key={row.team_id}>
                  <Table.Td>
                    <Anchor
                      size="sm"
                      renderRoot={(props) => (
                        <Link to="/o/$organization/teams/$teamId" params={{ organization: organization.slug, teamId: row.team_id }} {...props} />
                      )}
                    >
                      {row.name}
                    </Anchor>
                  </Table.Td>
                  <Table.Td>
                    {mayManage ? (
                      <ProjectRoleSelect
                        label={t`Role of ${row.name}`}
                        value={row.role}
                        disabled={share.isPending}
                        onChange={(role) => share.mutate({ project_id: project.id, team_id: row.team_id, role }, { onError: notice.failed })}
                      />
                    ) : (
                      roles[row.role]
                    )}
                  </Table.Td>
                  <Table.Td fz="xs"><When at={row.shared_at} /></Table.Td>
                  {mayManage && (
                    <Table.Td ta="right">
                      <ConfirmButton
                        label={<Trans>Stop sharing</Trans>}
                        accessibleLabel={t`Stop sharing with ${row.name}`}
                        title={t`Stop sharing ${project.name} with ${row.name}?`}
                        consequence={<Trans>The team's members lose the project at once, unless they have it in another way.</Trans>}
                        action={<Trans>Stop sharing</Trans>}
                        mutation={unshare}
                        onConfirm={(close) => unshare.mutate({ project_id: project.id, team_id: row.team_id }, { onSuccess: close })}
                      />
                    </Table.Td>
                  )}
                </Table.Tr>
              ))}
            </DataTable>
          )
        }
      </Loaded>
    </Panel>
  );
}
