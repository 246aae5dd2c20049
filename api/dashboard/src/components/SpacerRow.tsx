import { Table } from "@mantine/core";

export function SpacerRow({ height }: { height: number }) {
  if (height <= 0) return null;
  return (
    <Table.Tr aria-hidden>
      <Table.Td p={0} style={{ height, border: 0 }} />
    </Table.Tr>
  );
}
