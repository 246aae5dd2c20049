// `/`: on to the last organization, or to making the first one.
import { useQuery } from "@tanstack/react-query";
import { Navigate } from "@tanstack/react-router";
import { Box } from "@mantine/core";
import { meQuery } from "@/auth/queries";
import { ListSkeleton } from "@/components/ListSkeleton";
import { ProblemAlert } from "@/components/ProblemAlert";
import { FirstOrganization } from "./FirstOrganization";
import { lastOrganization } from "./last-organization";

export function HomePage() {
  const me = useQuery(meQuery);
  if (me.isError) {
    return (
      <Box p="lg" maw={640}>
        <ProblemAlert error={me.error} onRetry={() => void me.refetch()} />
      </Box>
    );
  }
  if (!me.data) {
    return (
      <Box p="lg">
        <ListSkeleton />
      </Box>
    );
  }
  const organization = lastOrganization(me.data.organizations);
  if (!organization) return <FirstOrganization />;
  return <Navigate to="/o/$organization/repositories" params={{ organization: organization.slug }} replace />;
}
