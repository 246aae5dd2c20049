// An empty search: what can be typed.
import { Trans } from "@lingui/react/macro";
import { Code, Table, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";

export function SearchHelp() {
  return (
    <div>
      <Title order={2} mt="lg" mb={4}>
        <Trans>Search code by name, by path or by what it does</Trans>
      </Title>
      <Text size="sm" c="dimmed" mb="md">
        <Trans>Words find code by name and by meaning. These narrow the search:</Trans>
      </Text>
      <Table maw={720} withRowBorders={false} verticalSpacing={5} mb="lg">
        <Table.Tbody>
          <Row code="repo:service" says={<Trans>in one repository</Trans>} />
          <Row code="path:src/auth" says={<Trans>in files whose path matches</Trans>} />
          <Row code="lang:rust" says={<Trans>in one language</Trans>} />
          <Row code="symbol:parse_header" says={<Trans>a symbol by its name</Trans>} />
          <Row code="kind:function" says={<Trans>functions, types, statements, sections, windows</Trans>} />
          <Row code="branch:main" says={<Trans>on one branch</Trans>} />
          <Row code="test:no" says={<Trans>without tests; test:yes for tests alone</Trans>} />
          <Row code={'"exact phrase"'} says={<Trans>these words, in this order</Trans>} />
          <Row code="/retr(y|ies)/" says={<Trans>a regular expression</Trans>} />
          <Row code="-legacy" says={<Trans>without this word</Trans>} />
        </Table.Tbody>
      </Table>
    </div>
  );
}

function Row({ code, says }: { code: string; says: ReactNode }) {
  return (
    <Table.Tr>
      <Table.Td w={200}><Code>{code}</Code></Table.Td>
      <Table.Td>{says}</Table.Td>
    </Table.Tr>
  );
}
