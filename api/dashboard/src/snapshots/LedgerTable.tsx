import { Trans, useLingui } from "@lingui/react/macro";
import { Anchor, Loader, Table, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import type { LedgerRow, RepositoryResponse } from "@/api/types";
import { SpacerRow } from "@/components/SpacerRow";
import { StateBadge } from "@/components/StateBadge";
import { LIST_ITEM, useListKeys } from "@/components/use-list-keys";
import { useWindowRows } from "@/components/use-window-rows";
import { useFormat } from "@/format/use-format";
import { useScope } from "@/organizations/scope";
import { reasonLabel } from "./reasons";

const ROW_HEIGHT = 37;

interface Props {
  repository: RepositoryResponse;
  snapshotId: number;
  rows: LedgerRow[];
  hasMore: boolean;
  isLoadingMore: boolean;
  onMore: () => void;
}

export function LedgerTable({ repository, snapshotId, rows, hasMore, isLoadingMore, onMore }: Props) {
  const { t } = useLingui();
  const list = useRef<HTMLTableSectionElement>(null);
  const visible = useWindowRows(list, rows.length, ROW_HEIGHT);
  useListKeys(list);
  const nearEnd = (visible.rows.at(-1)?.index ?? 0) >= rows.length - 1;
  useEffect(() => {
    if (nearEnd && hasMore && !isLoadingMore) onMore();
  }, [nearEnd, hasMore, isLoadingMore, onMore]);

  return (
    <Table.ScrollContainer minWidth={860} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
      <Table layout="fixed" highlightOnHover>
        <Table.Thead>
          <Table.Tr>
            <Table.Th><Trans>Path</Trans></Table.Th>
            <Table.Th w={116}><Trans>Status</Trans></Table.Th>
            <Table.Th w="24%"><Trans>Reason</Trans></Table.Th>
            <Table.Th w={110}><Trans>Language</Trans></Table.Th>
            <Table.Th w={90} ta="right"><Trans>Lines</Trans></Table.Th>
            <Table.Th w={90} ta="right"><Trans>Size</Trans></Table.Th>
            <Table.Th w={80} ta="right"><Trans>Chunks</Trans></Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody ref={list}>
          <SpacerRow height={visible.before} />
          {visible.rows.map(({ index }) => {
            const row = rows[index];
            return row && <Row key={row.path} row={row} repositoryId={repository.id} snapshotId={snapshotId} />;
          })}
          <SpacerRow height={visible.after} />
        </Table.Tbody>
      </Table>
      {isLoadingMore && <Loader size="sm" my="sm" aria-label={t`Loading more`} />}
    </Table.ScrollContainer>
  );
}

function Row({ row, repositoryId, snapshotId }: { row: LedgerRow; repositoryId: string; snapshotId: number }) {
  const { t, i18n } = useLingui();
  const format = useFormat();
  const { organization } = useScope();
  const indexed = row.status === "indexed";
  const reason = row.reason ? reasonLabel(row.reason, (message) => i18n._(message)) : "";
  return (
    <Table.Tr>
      <Table.Td>
        {indexed ? (
          <Anchor
            ff="monospace"
            fz="xs"
            truncate
            display="block"
            title={row.path}
            renderRoot={(props) => (
              <Link
                to="/o/$organization/code/$repositoryId"
                params={{ organization: organization.slug, repositoryId }}
                search={{ path: row.path, snapshot: snapshotId }}
                {...props}
                {...LIST_ITEM}
              />
            )}
          >
            {row.path}
          </Anchor>
        ) : (
          <Text ff="monospace" fz="xs" truncate title={row.path} tabIndex={-1} {...LIST_ITEM}>
            {row.path}
          </Text>
        )}
      </Table.Td>
      <Table.Td><StateBadge color={indexed ? "green" : "gray"} label={indexed ? t`indexed` : t`skipped`} /></Table.Td>
      <Table.Td>
        <Text size="xs" truncate title={[reason, row.detail].filter(Boolean).join(": ")}>
          {reason}
          {row.detail && <Text span c="dimmed" size="xs">{reason ? `: ${row.detail}` : row.detail}</Text>}
        </Text>
      </Table.Td>
      <Table.Td><Text size="xs" truncate>{row.language ?? "—"}</Text></Table.Td>
      <Table.Td ta="right" fz="xs">{row.lines == null ? "—" : format.count(row.lines)}</Table.Td>
      <Table.Td ta="right" fz="xs">{format.bytes(row.bytes)}</Table.Td>
      <Table.Td ta="right" fz="xs">{row.chunks > 0 ? format.count(row.chunks) : "—"}</Table.Td>
    </Table.Tr>
  );
}
