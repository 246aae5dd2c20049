import { Trans, useLingui } from "@lingui/react/macro";
import { Anchor, Table } from "@mantine/core";
import { IconUsersGroup } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { DataTable } from "@/components/DataTable";
import { EmptyState } from "@/components/EmptyState";
import { Loaded } from "@/components/Loaded";
import { LIST_ITEM } from "@/components/use-list-keys";
import { When } from "@/components/When";
import { useFormat } from "@/format/use-format";
import { administers } from "@/members/roles";
import { useScope } from "@/organizations/scope";
import { teamsQuery } from "./queries";

export function TeamsTab() {
  const { t } = useLingui();
  const format = useFormat();
  const { organization } = useScope();
  const query = useQuery(teamsQuery(organization.id));
  return (
    <Loaded query={query}>
      {(teams) =>
        teams.length === 0 ? (
          <EmptyState icon={<IconUsersGroup size={28} stroke={1.5} />} title={<Trans>No teams yet</Trans>}>
            {administers(organization.role) ? (
              <Trans>Make a team and share private projects with it, instead of with each person.</Trans>
            ) : (
              <Trans>Administrators and owners make teams.</Trans>
            )}
          </EmptyState>
        ) : (
          <DataTable
            label={t`Teams`}
            columns={[
              { label: <Trans>Team</Trans> },
              { label: <Trans>Members</Trans>, width: 120, align: "right" },
              { label: <Trans>Made</Trans>, width: 150 },
            ]}
          >
            {teams.map((team) => (
              <Table.Tr key={team.id}>
                <Table.Td>
                  <Anchor
                    size="sm"
                    renderRoot={(props) => (
                      <Link
                        to="/o/$organization/teams/$teamId"
                        params={{ organization: organization.slug, teamId: team.id }}
                        {...props}
                        {...LIST_ITEM}
                      />
                    )}
                  >
                    {team.name}
                  </Anchor>
                </Table.Td>
                <Table.Td ta="right">{format.count(team.members)}</Table.Td>
                <Table.Td fz="xs"><When at={team.created_at} /></Table.Td>
              </Table.Tr>
            ))}
          </DataTable>
        )
      }
    </Loaded>
  );
}
