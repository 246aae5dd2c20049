import { Trans, useLingui } from "@lingui/react/macro";
import { Button, Group, Select, TextInput } from "@mantine/core";
import { IconFilter, IconFolderPlus, IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import type { RepositoryResponse } from "@/api/types";
import { EmptyState } from "@/components/EmptyState";
import { ListSkeleton } from "@/components/ListSkeleton";
import { Page } from "@/components/Page";
import { ProblemAlert } from "@/components/ProblemAlert";
import { useScope } from "@/organizations/scope";
import type { RepositoriesSearch } from "./address";
import { repositoriesQuery } from "./queries";
import { RepositoriesTable } from "./RepositoriesTable";

const route = getRouteApi("/shell/o/$organization/repositories");

export function RepositoriesPage() {
  const { t } = useLingui();
  const { organization, project, projects } = useScope();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const query = useQuery(repositoriesQuery(project ? [project] : projects));
  const filter = (change: RepositoriesSearch) =>
    void navigate({ search: (previous) => ({ ...previous, ...change }), replace: true });

  const add = (
    <Button
      leftSection={<IconPlus size={16} />}
      renderRoot={(props) => (
        <Link to="/o/$organization/repositories/new" params={{ organization: organization.slug }} {...props} />
      )}
    >
      <Trans>Add a repository</Trans>
    </Button>
  );

  return (
    <Page title={t`Repositories`} actions={query.data?.length ? add : undefined}>
      {query.isPending && <ListSkeleton rows={10} />}
      {query.isError && <ProblemAlert error={query.error} onRetry={() => void query.refetch()} />}
      {query.data?.length === 0 && (
        <EmptyState
          icon={<IconFolderPlus size={28} stroke={1.5} />}
          title={<Trans>No repositories yet</Trans>}
          action={add}
        >
          <Trans>Add a git repository by its address, or one on the server's disk, and search it in a few minutes.</Trans>
        </EmptyState>
      )}
      {query.data && query.data.length > 0 && (
        <>
          <Group gap={8} mb={8}>
            <TextInput
              size="xs"
              w={240}
              aria-label={t`Filter by name`}
              placeholder={t`Filter by name`}
              leftSection={<IconFilter size={14} />}
              value={search.name ?? ""}
              onChange={(event) => filter({ name: event.currentTarget.value || undefined })}
            />
            <Select
              size="xs"
              w={140}
              clearable
              aria-label={t`State`}
              placeholder={t`Any state`}
              data={[
                { value: "ready", label: t`ready` },
                { value: "indexing", label: t`indexing` },
                { value: "pending", label: t`pending` },
                { value: "failed", label: t`failed` },
                { value: "empty", label: t`empty` },
              ]}
              value={search.state ?? null}
              onChange={(state) => filter({ state: (state as RepositoriesSearch["state"]) ?? undefined })}
            />
          </Group>
          <RepositoriesTable repositories={query.data.filter((one) => matches(one, search))} />
        </>
      )}
    </Page>
  );
}

function matches(repository: RepositoryResponse, { name, state }: RepositoriesSearch) {
  const named = !name || repository.name.toLowerCase().includes(name.toLowerCase());
  return named && (!state || repository.state === state);
}
