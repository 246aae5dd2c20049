// Resolves the organization and the project of the address, for every page below.
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Outlet } from "@tanstack/react-router";
import { Box } from "@mantine/core";
import { useEffect } from "react";
import { meQuery } from "@/auth/queries";
import { ListSkeleton } from "@/components/ListSkeleton";
import { NotFound } from "@/components/NotFound";
import { ProblemAlert } from "@/components/ProblemAlert";
import { projectsQuery } from "@/projects/queries";
import { rememberOrganization } from "./last-organization";
import { ScopeContext } from "./scope";

const route = getRouteApi("/shell/o/$organization");

export function OrganizationPage() {
  const { organization: slug } = route.useParams();
  const { project: projectSlug } = route.useSearch();
  const me = useQuery(meQuery);
  const organization = me.data?.organizations.find((one) => one.slug === slug);
  const projects = useQuery({ ...projectsQuery(organization?.id ?? ""), enabled: organization !== undefined });

  useEffect(() => {
    if (organization) rememberOrganization(organization.slug);
  }, [organization]);

  const failed = [me, projects].find((query) => query.isError);
  if (failed) {
    return (
      <Box p="lg" maw={640}>
        <ProblemAlert error={failed.error} onRetry={() => void failed.refetch()} />
      </Box>
    );
  }
  if (me.data && !organization) return <NotFound />;
  if (!organization || !projects.data) {
    return (
      <Box p="lg">
        <ListSkeleton />
      </Box>
    );
  }
  const project = projectSlug ? projects.data.find((one) => one.slug === projectSlug) : null;
  if (project === undefined) return <NotFound />;
  return (
    <ScopeContext value={{ organization, projects: projects.data, project }}>
      <Outlet />
    </ScopeContext>
  );
}
