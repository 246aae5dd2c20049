import { Trans } from "@lingui/react/macro";
import { Anchor, Breadcrumbs, Group, Text, Title } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { RepositoryResponse } from "@/api/types";
import { useScope } from "@/organizations/scope";
import { RepositoryState } from "./RepositoryState";

export function RepositoryHeading({ repository }: { repository: RepositoryResponse }) {
  const { organization, projects } = useScope();
  const project = projects.find((one) => one.id === repository.project_id);
  return (
    <div>
      <Breadcrumbs separatorMargin={6} fz="xs" mb={2}>
        <Anchor
          size="xs"
          renderRoot={(props) => <Link to="/o/$organization/repositories" params={{ organization: organization.slug }} {...props} />}
        >
          <Trans>Repositories</Trans>
        </Anchor>
        {project && <Text size="xs" c="dimmed">{project.name}</Text>}
      </Breadcrumbs>
      <Group gap="sm">
        <Title order={1}>{repository.name}</Title>
        <RepositoryState state={repository.state} />
      </Group>
      <Text size="xs" c="dimmed" style={{ overflowWrap: "anywhere" }}>
        {repository.source.url ?? repository.source.path}
        {repository.source.has_credentials && (
          <>
            {" · "}
            <Trans>with stored credentials</Trans>
          </>
        )}
      </Text>
    </div>
  );
}
