// Narrows lists and searches to one project. The choice is in the address.
import { Trans, useLingui } from "@lingui/react/macro";
import { Button, Menu } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconCheck, IconChevronDown, IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { NewProjectModal } from "@/projects/NewProjectModal";
import { projectsQuery } from "@/projects/queries";
import { useShellOrganization } from "./use-shell-organization";

export function ProjectScope() {
  const { t } = useLingui();
  const { organization: inOrganization } = useParams({ strict: false });
  const { organization } = useShellOrganization();
  const { project: slug } = useSearch({ strict: false });
  const { data: projects = [] } = useQuery({ ...projectsQuery(organization?.id ?? ""), enabled: organization !== undefined });
  const navigate = useNavigate();
  const [creating, { open, close }] = useDisclosure();
  if (!organization || !inOrganization) return null;

  const choose = (project: string | undefined) =>
    void navigate({ to: ".", search: (previous) => ({ ...previous, project }) });
  const current = projects.find((project) => project.slug === slug);
  const check = (on: boolean) => (on ? <IconCheck size={14} aria-label={t`Chosen`} /> : null);

  return (
    <>
      <Menu position="bottom-end" width={220}>
        <Menu.Target>
          <Button
            variant="default"
            size="sm"
            fw={400}
            maw={{ base: 116, sm: 220 }}
            px="sm"
            flex="none"
            rightSection={<IconChevronDown size={14} />}
            aria-label={t`Project scope: ${current?.name ?? t`all projects`}`}
          >
            {current?.name ?? <Trans>all projects</Trans>}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => choose(undefined)} rightSection={check(!current)}>
            <Trans>All projects</Trans>
          </Menu.Item>
          {projects.map((project) => (
            <Menu.Item key={project.id} onClick={() => choose(project.slug)} rightSection={check(project.id === current?.id)}>
              {project.name}
            </Menu.Item>
          ))}
          {organization.role !== "member" && (
            <>
              <Menu.Divider />
              <Menu.Item leftSection={<IconPlus size={16} />} onClick={open}>
                <Trans>New project</Trans>
              </Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      <NewProjectModal
        organizationId={organization.id}
        opened={creating}
        onClose={close}
        onCreated={(project) => {
          close();
          choose(project.slug);
        }}
      />
    </>
  );
}
