import { Trans, useLingui } from "@lingui/react/macro";
import { Alert, Anchor, Stack } from "@mantine/core";
import { IconLock } from "@tabler/icons-react";
import { getRouteApi, Link } from "@tanstack/react-router";
import { NotFound } from "@/components/NotFound";
import { Page } from "@/components/Page";
import { useScope } from "@/organizations/scope";
import { DeleteProject } from "./DeleteProject";
import { ProjectMembers } from "./ProjectMembers";
import { ProjectSettings } from "./ProjectSettings";
import { ProjectTeams } from "./ProjectTeams";
import { useMayManageProject } from "./sharing";

const route = getRouteApi("/shell/o/$organization/projects/$projectId");

export function ProjectPage() {
  const { t } = useLingui();
  const { projectId } = route.useParams();
  const { organization, projects } = useScope();
  const mayManage = useMayManageProject(projectId);
  const project = projects.find((one) => one.id === projectId);
  if (!project) return <NotFound />;
  return (
    <Page title={t`Project ${project.name}`}>
      <Anchor
        size="xs"
        mb="sm"
        display="inline-block"
        renderRoot={(props) => <Link to="/o/$organization/projects" params={{ organization: organization.slug }} {...props} />}
      >
        <Trans>All projects</Trans>
      </Anchor>
      <Stack gap="md">
        {!mayManage && (
          <Alert color="gray" p="xs" icon={<IconLock size={16} />}>
            <Trans>You read this project. Its maintainers and the organization's administrators change it.</Trans>
          </Alert>
        )}
        <ProjectSettings key={project.id} project={project} mayManage={mayManage} />
        <ProjectMembers project={project} mayManage={mayManage} />
        <ProjectTeams project={project} mayManage={mayManage} />
        {mayManage && <DeleteProject project={project} />}
      </Stack>
    </Page>
  );
}
