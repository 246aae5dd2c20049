import type { SpotlightActionData } from "@mantine/spotlight";
import { IconFolder } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { projectsQuery } from "@/projects/queries";
import { repositoriesQuery } from "@/repositories/queries";
import { useShellOrganization } from "./use-shell-organization";

export function useRepositoryActions(): SpotlightActionData[] {
  const navigate = useNavigate();
  const { organization } = useShellOrganization();
  const { data: projects } = useQuery({ ...projectsQuery(organization?.id ?? ""), enabled: organization !== undefined });
  const { data: repositories = [] } = useQuery({ ...repositoriesQuery(projects ?? []), enabled: projects !== undefined });
  if (!organization) return [];
  return repositories.map((repository) => ({
    id: repository.id,
    label: repository.name,
    description: repository.source.url ?? repository.source.path ?? undefined,
    leftSection: <IconFolder size={18} stroke={1.75} />,
    onClick: () =>
      void navigate({
        to: "/o/$organization/repositories/$repositoryId",
        params: { organization: organization.slug, repositoryId: repository.id },
      }),
  }));
}
