import { Trans, useLingui } from "@lingui/react/macro";
import { Anchor, Box, Table } from "@mantine/core";
import { IconFolderOff } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { TeamResponse } from "@/api/types";
import { ConfirmButton } from "@/components/ConfirmButton";
import { DataTable } from "@/components/DataTable";
import { EmptyState } from "@/components/EmptyState";
import { Loaded } from "@/components/Loaded";
import { Panel } from "@/components/Panel";
import { useNotice } from "@/components/use-notice";
import { When } from "@/components/When";
import { ProjectRoleSelect, useProjectRoles } from "@/members/roles";
import { useScope } from "@/organizations/scope";
import { SharePicker } from "@/projects/SharePicker";
import { useShareProject, useUnshareProject } from "@/projects/sharing";
import { teamProjectsQuery } from "./queries";

export function TeamProjects({ team, mayManage }: { team: TeamResponse; mayManage: boolean }) {
  const { t } = useLingui();
  const { organization, projects } = useScope();
  const roles = useProjectRoles();
  const query = useQuery(teamProjectsQuery(team.id));
  const share = useShareProject();
  const unshare = useUnshareProject();
  const notice = useNotice();
  const shared = new Set(query.data?.map((one) => one.project_id));
  return (
    <Panel title={<Trans>Projects shared with the team</Trans>} padded={false}>
      {mayManage && (
        <Box p="md">
          <SharePicker
            label={t`Project`}
            placeholder={t`Choose a project`}
            nothingLeft={t`Every project is shared already`}
            choices={projects.filter((project) => !shared.has(project.id)).map(({ id, name }) => ({ value: id, label: name }))}
            pending={share.isPending}
            onShare={(project_id, role) => share.mutate({ project_id, team_id: team.id, role }, { onError: notice.failed })}
          />
        </Box>
      )}
      <Loaded query={query} rows={3}>
        {(rows) =>
          rows.length === 0 ? (
            <EmptyState icon={<IconFolderOff size={28} stroke={1.5} />} title={<Trans>No project is shared with this team</Trans>} />
          ) : (
            <DataTable
              label={t`Projects shared with the team`}
              columns={[
                { label: <Trans>Project</Trans> },
                { label: <Trans>Role</Trans>, width: 170 },
                { label: <Trans>Shared</Trans>, width: 130 },
                ...(mayManage ? [{ label: <Trans>Actions</Trans>, width: 110, align: "right" as const }] : []),
              ]}
            >
              {rows.map((row) => (
                <Table.Tr key={row.project_id}>
                  <Table.Td>
                    <Anchor
                      size="sm"
                      renderRoot={(props) => (
                        <Link
                          to="/o/$organization/projects/$projectId"
                          params={{ organization: organization.slug, projectId: row.project_id }}
                          {...props}
                        />
                      )}
                    >
                      {row.name}
                    </Anchor>
                  </Table.Td>
                  <Table.Td>
                    {mayManage ? (
                      <ProjectRoleSelect
                        label={t`Role in ${row.name}`}
                        value={row.role}
                        disabled={share.isPending}
                        onChange={(role) => share.mutate({ project_id: row.project_id, team_id: team.id, role }, { onError: notice.failed })}
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
                        accessibleLabel={t`Stop sharing ${row.name}`}
                        title={t`Stop sharing ${row.name} with ${team.name}?`}
                        consequence={<Trans>The team's members lose the project at once, unless they have it in another way.</Trans>}
                        action={<Trans>Stop sharing</Trans>}
                        mutation={unshare}
                        onConfirm={(close) => unshare.mutate({ project_id: row.project_id, team_id: team.id }, { onSuccess: close })}
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
