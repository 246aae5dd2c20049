import { Trans, useLingui } from "@lingui/react/macro";
import { Alert, Stack, Table, Text } from "@mantine/core";
import { IconAlertTriangle, IconCircleCheck } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { StatusResponse } from "@/api/types";
import { meQuery } from "@/auth/queries";
import { ListSkeleton } from "@/components/ListSkeleton";
import { Page } from "@/components/Page";
import { Panel } from "@/components/Panel";
import { ProblemAlert } from "@/components/ProblemAlert";
import { DeadJobs } from "./DeadJobs";
import { statusQuery } from "./queries";

export function StatusPage() {
  const { t } = useLingui();
  const query = useQuery(statusQuery);
  const { data: me } = useQuery(meQuery);
  return (
    <Page title={t`Status`}>
      <Stack gap="md">
        {query.isPending && <ListSkeleton rows={6} />}
        {query.isError && <ProblemAlert error={query.error} onRetry={() => void query.refetch()} />}
        {query.data && <Server status={query.data} />}
        {me?.user.is_instance_administrator && <DeadJobs />}
      </Stack>
    </Page>
  );
}

function Server({ status }: { status: StatusResponse }) {
  const { embedder } = status;
  return (
    <>
      {status.warnings.length === 0 ? (
        <Alert color="green" p="xs" icon={<IconCircleCheck size={16} />}>
          <Trans>The server has nothing to warn about.</Trans>
        </Alert>
      ) : (
        status.warnings.map((warning) => (
          <Alert key={warning.code} color="yellow" p="xs" icon={<IconAlertTriangle size={16} />}>
            {warning.message}
          </Alert>
        ))
      )}
      <Panel title={<Trans>Server</Trans>} padded={false}>
        <Table variant="vertical" layout="fixed" withRowBorders>
          <Table.Tbody>
            <Fact name={<Trans>Version</Trans>}>{status.version}</Fact>
            <Fact name={<Trans>Mode</Trans>}>
              {status.mode === "cluster" ? <Trans>cluster</Trans> : <Trans>standalone</Trans>}
            </Fact>
            <Fact name={<Trans>Embedder</Trans>}>
              {embedder.kind}
              {embedder.model && ` · ${embedder.model}`}
              {embedder.dimension != null && (
                <Text span size="xs" c="dimmed">
                  {" "}
                  <Trans>{embedder.dimension} dimensions</Trans>
                </Text>
              )}
            </Fact>
            <Fact name={<Trans>Vector index</Trans>}>{status.vector_index}</Fact>
            <Fact name={<Trans>Lexical index</Trans>}>{status.lexical_index}</Fact>
            <Fact name={<Trans>Reranker</Trans>}>{status.reranker}</Fact>
          </Table.Tbody>
        </Table>
      </Panel>
    </>
  );
}

function Fact({ name, children }: { name: ReactNode; children: ReactNode }) {
  return (
    <Table.Tr>
      <Table.Th w={200} fw={400} c="dimmed" bg="transparent">{name}</Table.Th>
      <Table.Td>{children}</Table.Td>
    </Table.Tr>
  );
}
