import { Trans, useLingui } from "@lingui/react/macro";
import { Anchor, Group, Table, Text } from "@mantine/core";
import { IconFile, IconFileOff, IconFolder } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { TreeEntry } from "@/api/types";
import { EmptyState } from "@/components/EmptyState";
import { ListSkeleton } from "@/components/ListSkeleton";
import { ProblemAlert } from "@/components/ProblemAlert";
import { useFormat } from "@/format/use-format";
import { useScope } from "@/organizations/scope";
import { reasonLabel } from "@/snapshots/reasons";
import classes from "./CodePage.module.css";
import { treeQuery } from "./queries";
import { useCodeAddress } from "./use-code-address";

export function DirectoryPane() {
  const { repositoryId, path, revision } = useCodeAddress();
  const query = useQuery(treeQuery(repositoryId, path.replace(/\/$/, ""), revision));
  return (
    <div className={classes.scroll}>
      {query.isPending && <ListSkeleton rows={12} />}
      {query.isError && <ProblemAlert error={query.error} onRetry={() => void query.refetch()} />}
      {query.data?.entries.length === 0 && <EmptyState title={<Trans>This directory is empty</Trans>} />}
      {query.data && query.data.entries.length > 0 && (
        <Table verticalSpacing={6} highlightOnHover>
          <Table.Tbody>
            {query.data.entries.map((entry) => (
              <Entry key={entry.path} entry={entry} />
            ))}
          </Table.Tbody>
        </Table>
      )}
    </div>
  );
}

function Entry({ entry }: { entry: TreeEntry }) {
  const { i18n } = useLingui();
  const format = useFormat();
  const { organization } = useScope();
  const { repositoryId } = useCodeAddress();
  const Icon = entry.kind === "directory" ? IconFolder : entry.status === "skipped" ? IconFileOff : IconFile;
  return (
    <Table.Tr>
      <Table.Td>
        <Group gap={8} wrap="nowrap">
          <Icon size={16} stroke={1.5} color="var(--mantine-color-dimmed)" />
          <Anchor
            size="sm"
            c={entry.status === "skipped" ? "dimmed" : undefined}
            renderRoot={(props) => (
              <Link
                to="/o/$organization/code/$repositoryId"
                params={{ organization: organization.slug, repositoryId }}
                search={(previous) => ({
                  ...previous,
                  path: entry.kind === "directory" ? `${entry.path}/` : entry.path,
                  lines: undefined,
                })}
                {...props}
              />
            )}
          >
            {entry.name}
          </Anchor>
        </Group>
      </Table.Td>
      <Table.Td>
        <Text size="xs" c="dimmed">
          {entry.reason ? reasonLabel(entry.reason, (message) => i18n._(message)) : entry.language}
        </Text>
      </Table.Td>
      <Table.Td ta="right">
        <Text size="xs" c="dimmed">{entry.bytes == null ? "" : format.bytes(entry.bytes)}</Text>
      </Table.Td>
    </Table.Tr>
  );
}
