import { Trans } from "@lingui/react/macro";
import { Table, Text } from "@mantine/core";
import { useRef } from "react";
import type { RepositoryResponse } from "@/api/types";
import { SpacerRow } from "@/components/SpacerRow";
import { useListKeys } from "@/components/use-list-keys";
import { useWindowRows } from "@/components/use-window-rows";
import { RepositoryRow } from "./RepositoryRow";

const ROW_HEIGHT = 53;

export function RepositoriesTable({ repositories }: { repositories: RepositoryResponse[] }) {
  const list = useRef<HTMLTableSectionElement>(null);
  const { rows, before, after } = useWindowRows(list, repositories.length, ROW_HEIGHT);
  useListKeys(list);
  if (repositories.length === 0) {
    return (
      <Text c="dimmed" size="sm" py="md">
        <Trans>No repository matches the filter.</Trans>
      </Text>
    );
  }
  return (
    <Table.ScrollContainer minWidth={860} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
      <Table highlightOnHover>
        <Table.Thead>
          <Table.Tr>
            <Table.Th><Trans>Name</Trans></Table.Th>
            <Table.Th w={130}><Trans>State</Trans></Table.Th>
            <Table.Th><Trans>Branch</Trans></Table.Th>
            <Table.Th><Trans>Last commit indexed</Trans></Table.Th>
            <Table.Th ta="right"><Trans>Files indexed</Trans></Table.Th>
            <Table.Th ta="right"><Trans>Size</Trans></Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody ref={list}>
          <SpacerRow height={before} />
          {rows.map(({ index }) => {
            const repository = repositories[index];
            return repository && <RepositoryRow key={repository.id} repository={repository} />;
          })}
          <SpacerRow height={after} />
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
