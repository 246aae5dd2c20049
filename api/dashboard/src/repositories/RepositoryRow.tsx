import { Trans } from "@lingui/react/macro";
import { Anchor, Code, Progress, Table, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { RepositoryResponse } from "@/api/types";
import { LIST_ITEM } from "@/components/use-list-keys";
import { When } from "@/components/When";
import { shortCommit } from "@/format/number";
import { useFormat } from "@/format/use-format";
import { fractionOf, isActive } from "@/index-runs/progress";
import { useScope } from "@/organizations/scope";
import { RepositoryState } from "./RepositoryState";

export function RepositoryRow({ repository }: { repository: RepositoryResponse }) {
  const format = useFormat();
  const { organization, project, projects } = useScope();
  const { published, latest_run: run } = repository;
  const projectName = project ? null : projects.find((one) => one.id === repository.project_id)?.name;
  return (
    <Table.Tr>
      <Table.Td>
        <Anchor
          fw={600}
          size="sm"
          renderRoot={(props) => (
            <Link
              to="/o/$organization/repositories/$repositoryId"
              params={{ organization: organization.slug, repositoryId: repository.id }}
              {...props}
              {...LIST_ITEM}
            />
          )}
        >
          {repository.name}
        </Anchor>
        <Text size="xs" c="dimmed" truncate maw={340}>
          {[projectName, repository.source.url ?? repository.source.path].filter(Boolean).join(" · ")}
        </Text>
      </Table.Td>
      <Table.Td>
        <RepositoryState state={repository.state} />
        {run && isActive(run) && (
          <Progress size={3} mt={4} value={(fractionOf(run) ?? 0) * 100} animated aria-label={repository.name} />
        )}
      </Table.Td>
      <Table.Td>{repository.default_branch ? <Code>{repository.default_branch}</Code> : "—"}</Table.Td>
      <Table.Td>
        {published ? (
          <>
            <Code>{shortCommit(published.commit)}</Code>{" "}
            <Text span size="xs" c="dimmed">
              <When at={published.committed_at ?? published.published_at} />
            </Text>
          </>
        ) : (
          "—"
        )}
      </Table.Td>
      <Table.Td ta="right">
        {published ? (
          <Trans>
            {format.count(published.files_indexed)} of {format.count(published.files_seen)}
          </Trans>
        ) : (
          "—"
        )}
      </Table.Td>
      <Table.Td ta="right">{published ? format.bytes(published.bytes) : "—"}</Table.Td>
    </Table.Tr>
  );
}
