// What is searchable now, in one row of figures.
import { Trans } from "@lingui/react/macro";
import { Anchor, Code, SimpleGrid, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { RepositoryResponse, SnapshotSummary } from "@/api/types";
import { When } from "@/components/When";
import { shortCommit } from "@/format/number";
import { useFormat } from "@/format/use-format";
import { useScope } from "@/organizations/scope";
import classes from "./PublishedFacts.module.css";

export function PublishedFacts({ repository, published }: { repository: RepositoryResponse; published: SnapshotSummary }) {
  const format = useFormat();
  const { organization } = useScope();
  return (
    <SimpleGrid cols={{ base: 2, xs: 3, md: 5 }} spacing={0} className={classes.facts}>
      <Fact label={<Trans>Commit</Trans>} note={<When at={published.committed_at} />}>
        <Code fz="sm">{shortCommit(published.commit)}</Code>
      </Fact>
      <Fact label={<Trans>Published</Trans>} note={<Trans>snapshot {published.snapshot_id}</Trans>}>
        <When at={published.published_at} />
      </Fact>
      <Fact label={<Trans>Files indexed</Trans>} note={<Trans>of {format.count(published.files_seen)} in the commit</Trans>}>
        {format.count(published.files_indexed)}
      </Fact>
      <Fact
        label={<Trans>Files skipped</Trans>}
        note={
          <Anchor
            size="xs"
            renderRoot={(props) => (
              <Link
                to="/o/$organization/repositories/$repositoryId"
                params={{ organization: organization.slug, repositoryId: repository.id }}
                search={{ tab: "ledger", status: "skipped" }}
                {...props}
              />
            )}
          >
            <Trans>see why</Trans>
          </Anchor>
        }
      >
        {format.count(published.files_skipped)}
      </Fact>
      <Fact label={<Trans>Chunks</Trans>} note={format.bytes(published.bytes)}>
        {format.count(published.chunks)}
      </Fact>
    </SimpleGrid>
  );
}

function Fact({ label, children, note }: { label: ReactNode; children: ReactNode; note?: ReactNode }) {
  return (
    <div className={classes.fact}>
      <Text size="xs" c="dimmed">{label}</Text>
      <Text fz="lg" fw={600} component="div">{children}</Text>
      <Text size="xs" c="dimmed" component="div">{note}</Text>
    </div>
  );
}
