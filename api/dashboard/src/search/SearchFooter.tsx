// What was searched: commits, how fresh they are, and the files that are not indexed.
import { Plural, Trans } from "@lingui/react/macro";
import { Anchor, Code, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { SearchedBranch, SearchResponse } from "@/api/types";
import { When } from "@/components/When";
import { shortCommit } from "@/format/number";
import { useFormat } from "@/format/use-format";
import { useScope } from "@/organizations/scope";
import classes from "./SearchFooter.module.css";

const BRANCHES_SHOWN = 2;

interface Props {
  searched: SearchedBranch[];
  tookMs: number;
  channels?: SearchResponse["channels"];
}

export function SearchFooter({ searched, tookMs, channels = [] }: Props) {
  const format = useFormat();
  const lacking = channels.filter((channel) => channel.status === "failed");
  return (
    <footer className={classes.footer}>
      <Text size="xs" c="dimmed" component="div">
        <Plural value={searched.length} one="# branch searched" other="# branches searched" />
        {" · "}
        {format.count(Math.round(tookMs))} ms
        {lacking.map((channel) => (
          <span key={channel.name}>
            {" · "}
            <Trans>the {channel.name} channel failed</Trans>
          </span>
        ))}
      </Text>
      {searched.slice(0, BRANCHES_SHOWN).map((branch) => (
        <Searched key={`${branch.repository_id}:${branch.branch}`} branch={branch} />
      ))}
      {searched.length > BRANCHES_SHOWN && (
        <Text size="xs" c="dimmed">
          <Trans>and {searched.length - BRANCHES_SHOWN} more</Trans>
        </Text>
      )}
    </footer>
  );
}

function Searched({ branch }: { branch: SearchedBranch }) {
  const { organization } = useScope();
  return (
    <Text size="xs" c="dimmed" component="div">
      {branch.repository_name} <Code fz={11}>{branch.branch}</Code> <Code fz={11}>{shortCommit(branch.commit)}</Code>{" "}
      <Trans>
        indexed <When at={branch.indexed_at} />
      </Trans>
      {branch.files_skipped > 0 && (
        <>
          {" · "}
          <Plural value={branch.files_skipped} one="# file not indexed:" other="# files not indexed:" />{" "}
          <Anchor
            size="xs"
            underline="always"
            renderRoot={(props) => (
              <Link
                to="/o/$organization/repositories/$repositoryId"
                params={{ organization: organization.slug, repositoryId: branch.repository_id }}
                search={{ tab: "ledger", status: "skipped", snapshot: branch.snapshot_id }}
                {...props}
              />
            )}
          >
            <Trans>why</Trans>
          </Anchor>
        </>
      )}
    </Text>
  );
}
