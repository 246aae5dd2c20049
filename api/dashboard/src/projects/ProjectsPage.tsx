import { Trans, useLingui } from "@lingui/react/macro";
import { Anchor, Button, Table } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconFolders, IconPlus } from "@tabler/icons-react";
import { Link, useNavigate } from "@tanstack/react-router";
import { DataTable } from "@/components/DataTable";
import { EmptyState } from "@/components/EmptyState";
import { Page } from "@/components/Page";
import { LIST_ITEM } from "@/components/use-list-keys";
import { When } from "@/components/When";
import { useFormat } from "@/format/use-format";
import { administers } from "@/members/roles";
import { useScope } from "@/organizations/scope";
import { NewProjectModal } from "./NewProjectModal";
import { useVisibilities } from "./visibility";

export function ProjectsPage() {
  const { t } = useLingui();
  const { organization, projects } = useScope();
  const format = useFormat();
  const visibilities = useVisibilities();
  const navigate = useNavigate();
  const [creating, { open, close }] = useDisclosure();
  const mayCreate = administers(organization.role);
  const create = mayCreate && (
    <Button leftSection={<IconPlus size={16} />} onClick={open}>
      <Trans>New project</Trans>
    </Button>
  );
  return (
    <Page title={t`Projects`} actions={projects.length > 0 && create}>
      {projects.length === 0 ? (
        <EmptyState icon={<IconFolders size={28} stroke={1.5} />} title={<Trans>No projects yet</Trans>} action={create}>
          {mayCreate ? (
            <Trans>A project groups repositories that the same people may read.</Trans>
          ) : (
            <Trans>No project is shown to you. Ask an administrator to share one.</Trans>
          )}
        </EmptyState>
      ) : (
        <DataTable
          label={t`Projects`}
          columns={[
            { label: <Trans>Project</Trans> },
            { label: <Trans>Visibility</Trans>, width: 150 },
            { label: <Trans>Repositories</Trans>, width: 130, align: "right" },
            { label: <Trans>Made</Trans>, width: 150 },
          ]}
        >
          {projects.map((project) => (
            <Table.Tr key={project.id}>
              <Table.Td>
                <Anchor
                  size="sm"
                  renderRoot={(props) => (
                    <Link
                      to="/o/$organization/projects/$projectId"
                      params={{ organization: organization.slug, projectId: project.id }}
                      {...props}
                      {...LIST_ITEM}
                    />
                  )}
                >
                  {project.name}
                </Anchor>
              </Table.Td>
              <Table.Td title={visibilities[project.visibility].meaning}>{visibilities[project.visibility].label}</Table.Td>
              <Table.Td ta="right">{format.count(project.repositories)}</Table.Td>
              <Table.Td fz="xs"><When at={project.created_at} /></Table.Td>
            </Table.Tr>
          ))}
        </DataTable>
      )}
      <NewProjectModal
        organizationId={organization.id}
        opened={creating}
        onClose={close}
        onCreated={(project) => {
          close();
          void navigate({ to: "/o/$organization/projects/$projectId", params: { organization: organization.slug, projectId: project.id } });
        }}
      />
    </Page>
  );
}
