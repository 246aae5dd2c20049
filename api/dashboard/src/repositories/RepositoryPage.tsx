import { Trans } from "@lingui/react/macro";
import { Tabs } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { ListSkeleton } from "@/components/ListSkeleton";
import { NotFound } from "@/components/NotFound";
import { Page } from "@/components/Page";
import { ProblemAlert } from "@/components/ProblemAlert";
import { ApiError } from "@/api/problem";
import { RunsTable } from "@/index-runs/RunsTable";
import { LedgerTab } from "@/snapshots/LedgerTab";
import type { RepositorySearch } from "./address";
import { repositoryQuery } from "./queries";
import { RepositoryActions } from "./RepositoryActions";
import { RepositoryHeading } from "./RepositoryHeading";
import { RepositoryOverview } from "./RepositoryOverview";

const route = getRouteApi("/shell/o/$organization/repositories/$repositoryId");

export function RepositoryPage() {
  const { repositoryId } = route.useParams();
  const { tab = "overview" } = route.useSearch();
  const navigate = route.useNavigate();
  const query = useQuery(repositoryQuery(repositoryId));

  if (query.error instanceof ApiError && query.error.status === 404) return <NotFound />;
  if (!query.data) {
    return (
      <Page title="…">
        {query.isError ? <ProblemAlert error={query.error} onRetry={() => void query.refetch()} /> : <ListSkeleton rows={10} />}
      </Page>
    );
  }
  const repository = query.data;
  const openTab = (next: string | null) =>
    void navigate({ search: ({ project }) => ({ project, tab: (next ?? "overview") as RepositorySearch["tab"] }) });

  return (
    <Page
      title={repository.name}
      heading={<RepositoryHeading repository={repository} />}
      actions={<RepositoryActions repository={repository} />}
    >
      <Tabs value={tab} onChange={openTab} keepMounted={false}>
        <Tabs.List mb="md">
          <Tabs.Tab value="overview"><Trans>Overview</Trans></Tabs.Tab>
          <Tabs.Tab value="ledger"><Trans>Ledger</Trans></Tabs.Tab>
          <Tabs.Tab value="runs"><Trans>Index runs</Trans></Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="overview"><RepositoryOverview repository={repository} /></Tabs.Panel>
        <Tabs.Panel value="ledger"><LedgerTab repository={repository} /></Tabs.Panel>
        <Tabs.Panel value="runs"><RunsTable repositoryId={repository.id} /></Tabs.Panel>
      </Tabs>
    </Page>
  );
}
