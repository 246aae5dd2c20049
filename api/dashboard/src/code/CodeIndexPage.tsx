// `Code` without a repository: choose one.
import { Trans, useLingui } from "@lingui/react/macro";
import { Anchor, Button, Code, Table, Text } from "@mantine/core";
import { IconFolderPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useRef } from "react";
import { EmptyState } from "@/components/EmptyState";
import { ListSkeleton } from "@/components/ListSkeleton";
import { Page } from "@/components/Page";
import { ProblemAlert } from "@/components/ProblemAlert";
import { LIST_ITEM, useListKeys } from "@/components/use-list-keys";
import { When } from "@/components/When";
import { shortCommit } from "@/format/number";
import { useScope } from "@/organizations/scope";
import { repositoriesQuery } from "@/repositories/queries";

export function CodeIndexPage() {
  const { t } = useLingui();
  const { organization, project, projects } = useScope();
  const query = useQuery(repositoriesQuery(project ? [project] : projects));
  const list = useRef<HTMLTableSectionElement>(null);
  useListKeys(list);
  const ready = query.data?.filter((repository) => repository.published != null) ?? [];
  const params = { organization: organization.slug };
  return (
    <Page title={t`Code`}>
      {query.isPending && <ListSkeleton />}
      {query.isError && <ProblemAlert error={query.error} onRetry={() => void query.refetch()} />}
      {query.isSuccess && ready.length === 0 && (
        <EmptyState
          icon={<IconFolderPlus size={28} stroke={1.5} />}
          title={<Trans>No repository can be browsed yet</Trans>}
          action={
            <Button renderRoot={(props) => <Link to="/o/$organization/repositories" params={params} {...props} />}>
              <Trans>Go to Repositories</Trans>
            </Button>
          }
        >
          <Trans>Code can be read here once a repository has been indexed.</Trans>
        </EmptyState>
      )}
      {ready.length > 0 && (
        <Table highlightOnHover>
          <Table.Tbody ref={list}>
            {ready.map((repository) => (
              <Table.Tr key={repository.id}>
                <Table.Td>
                  <Anchor
                    fw={600}
                    size="sm"
                    renderRoot={(props) => (
                      <Link
                        to="/o/$organization/code/$repositoryId"
                        params={{ ...params, repositoryId: repository.id }}
                        {...props}
                        {...LIST_ITEM}
                      />
                    )}
                  >
                    {repository.name}
                  </Anchor>
                </Table.Td>
                <Table.Td>{repository.default_branch && <Code>{repository.default_branch}</Code>}</Table.Td>
                <Table.Td ta="right">
                  <Code>{shortCommit(repository.published?.commit ?? "")}</Code>{" "}
                  <Text span size="xs" c="dimmed">
                    <When at={repository.published?.published_at} />
                  </Text>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </Page>
  );
}
