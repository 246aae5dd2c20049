import { Trans, useLingui } from "@lingui/react/macro";
import { ActionIcon, Badge, Code, Group, Table } from "@mantine/core";
import { IconChevronDown, IconChevronRight, IconGitBranch } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { BranchResponse } from "@/api/types";
import { EmptyState } from "@/components/EmptyState";
import { ListSkeleton } from "@/components/ListSkeleton";
import { Panel } from "@/components/Panel";
import { ProblemAlert } from "@/components/ProblemAlert";
import { When } from "@/components/When";
import { shortCommit } from "@/format/number";
import { useFormat } from "@/format/use-format";
import { SnapshotRows } from "@/snapshots/SnapshotRows";
import { branchesQuery } from "./queries";

export function BranchesPanel({ repositoryId }: { repositoryId: string }) {
  const query = useQuery(branchesQuery(repositoryId));
  return (
    <Panel title={<Trans>Branches and snapshots</Trans>} padded={false}>
      {query.isPending && <ListSkeleton rows={3} />}
      {query.isError && <ProblemAlert error={query.error} onRetry={() => void query.refetch()} />}
      {query.data?.length === 0 && (
        <EmptyState icon={<IconGitBranch size={28} stroke={1.5} />} title={<Trans>No branch is known yet</Trans>}>
          <Trans>Branches appear once the first index run has fetched the source.</Trans>
        </EmptyState>
      )}
      {query.data && query.data.length > 0 && (
        <Table.ScrollContainer minWidth={640} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
          <Table>
            <Table.Thead>
              <Table.Tr>
                <Table.Th><Trans>Branch</Trans></Table.Th>
                <Table.Th><Trans>Commit</Trans></Table.Th>
                <Table.Th><Trans>Published</Trans></Table.Th>
                <Table.Th ta="right"><Trans>Files indexed</Trans></Table.Th>
                <Table.Th ta="right"><Trans>Skipped</Trans></Table.Th>
                <Table.Th ta="right"><Trans>Chunks</Trans></Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {query.data.map((branch) => (
                <BranchRow key={branch.id} repositoryId={repositoryId} branch={branch} />
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
    </Panel>
  );
}

function BranchRow({ repositoryId, branch }: { repositoryId: string; branch: BranchResponse }) {
  const { t } = useLingui();
  const format = useFormat();
  const [open, setOpen] = useState(false);
  const { published } = branch;
  return (
    <>
      <Table.Tr>
        <Table.Td>
          <Group gap={6} wrap="nowrap">
            <ActionIcon
              variant="subtle"
              color="gray"
              size="sm"
              aria-expanded={open}
              aria-label={t`Snapshots of ${branch.name}`}
              onClick={() => setOpen(!open)}
            >
              {open ? <IconChevronDown size={14} /> : <IconChevronRight size={14} />}
            </ActionIcon>
            <Code>{branch.name}</Code>
            {branch.is_default && (
              <Badge variant="default" size="sm">
                <Trans>default</Trans>
              </Badge>
            )}
          </Group>
        </Table.Td>
        <Table.Td>{published ? <Code>{shortCommit(published.commit)}</Code> : "—"}</Table.Td>
        <Table.Td>{published ? <When at={published.published_at} /> : <Trans>not yet</Trans>}</Table.Td>
        <Table.Td ta="right">{published ? format.count(published.files_indexed) : "—"}</Table.Td>
        <Table.Td ta="right">{published ? format.count(published.files_skipped) : "—"}</Table.Td>
        <Table.Td ta="right">{published ? format.count(published.chunks) : "—"}</Table.Td>
      </Table.Tr>
      {open && <SnapshotRows repositoryId={repositoryId} branch={branch} />}
    </>
  );
}
