import { Trans } from "@lingui/react/macro";
import { Alert, Stack } from "@mantine/core";
import { IconInfoCircle } from "@tabler/icons-react";
import type { RepositoryResponse } from "@/api/types";
import { SummaryAlert } from "@/components/SummaryAlert";
import { RunPanel } from "@/index-runs/RunPanel";
import { BranchesPanel } from "./BranchesPanel";
import { PublishedFacts } from "./PublishedFacts";

export function RepositoryOverview({ repository }: { repository: RepositoryResponse }) {
  const { error, warning, latest_run: run, published } = repository;
  return (
    <Stack gap="md">
      {warning && (
        <Alert color="yellow" icon={<IconInfoCircle size={18} />}>
          {warning}
        </Alert>
      )}
      {error && error.code !== run?.error?.code && <SummaryAlert problem={error} />}
      {repository.state === "empty" && (
        <Alert color="gray" icon={<IconInfoCircle size={18} />}>
          <Trans>The source has no commit on this branch yet. Push one and re-index.</Trans>
        </Alert>
      )}
      {published && <PublishedFacts repository={repository} published={published} />}
      {run && <RunPanel key={run.id} latest={run} />}
      <BranchesPanel repositoryId={repository.id} />
    </Stack>
  );
}
