// A table with named columns that scrolls sideways on narrow screens, and whose rows j and k walk.
import { Table } from "@mantine/core";
import { type ReactNode, useRef } from "react";
import { useListKeys } from "./use-list-keys";

interface Props {
  label: string;
  columns: { label: ReactNode; width?: number | string; align?: "right" }[];
  minWidth?: number;
  children: ReactNode;
}

export function DataTable({ label, columns, minWidth = 640, children }: Props) {
  const list = useRef<HTMLTableSectionElement>(null);
  useListKeys(list);
  return (
    <Table.ScrollContainer minWidth={minWidth} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
      <Table layout="fixed" highlightOnHover aria-label={label}>
        <Table.Thead>
          <Table.Tr>
            {columns.map(({ label: name, width, align }, index) => (
              <Table.Th key={index} w={width} ta={align}>{name}</Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody ref={list}>{children}</Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
