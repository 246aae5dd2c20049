// Why a hit is where it is: each channel's rank and score, then the steps to the final score.
import { Trans } from "@lingui/react/macro";
import { SimpleGrid, Table, Text } from "@mantine/core";
import type { SearchHit } from "@/api/types";
import classes from "./Explanation.module.css";

const DIGITS = 4;

export function Explanation({ hit, steps }: { hit: SearchHit; steps: NonNullable<SearchHit["explanation"]> }) {
  return (
    <div className={classes.explanation}>
      <SimpleGrid cols={{ base: 1, lg: 1, xl: 2 }} spacing="md" verticalSpacing={4}>
        <Table verticalSpacing={2} horizontalSpacing={6} fz="xs" withRowBorders={false}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th><Trans>Channel</Trans></Table.Th>
              <Table.Th ta="right"><Trans>Rank</Trans></Table.Th>
              <Table.Th ta="right"><Trans>Score</Trans></Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {hit.channels.map((channel) => (
              <Table.Tr key={channel.name}>
                <Table.Td>{channel.name}</Table.Td>
                <Table.Td ta="right">{channel.rank ?? "—"}</Table.Td>
                <Table.Td ta="right">{channel.score == null ? "—" : channel.score.toFixed(DIGITS)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
        <Table verticalSpacing={2} horizontalSpacing={6} fz="xs" withRowBorders={false}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th><Trans>Step</Trans></Table.Th>
              <Table.Th ta="right"><Trans>Value</Trans></Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {steps.map((step, index) => (
              <Table.Tr key={index}>
                <Table.Td>
                  {step.name.replaceAll("_", " ")}
                  {step.detail && <Text span size="xs" c="dimmed"> {step.detail}</Text>}
                </Table.Td>
                <Table.Td ta="right">{step.value.toFixed(DIGITS)}</Table.Td>
              </Table.Tr>
            ))}
            <Table.Tr fw={600}>
              <Table.Td><Trans>Score</Trans></Table.Td>
              <Table.Td ta="right">{hit.score.toFixed(DIGITS)}</Table.Td>
            </Table.Tr>
          </Table.Tbody>
        </Table>
      </SimpleGrid>
    </div>
  );
}
