// The hits of one file below its path.
import { Trans } from "@lingui/react/macro";
import { Badge, Code, Group, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { SearchHit } from "@/api/types";
import { CodeLines } from "@/code/CodeLines";
import { LIST_ITEM } from "@/components/use-list-keys";
import { useScope } from "@/organizations/scope";
import { ChannelBadges } from "./ChannelBadges";
import { Explanation } from "./Explanation";
import classes from "./FileHitsCard.module.css";
import { FilePath } from "./FilePath";
import type { FileHits } from "./group-hits";
import { clipSnippet } from "./snippet";

const SNIPPET_LINES = 8;

interface Props {
  file: FileHits;
  selected: string | undefined;
  onSelect: (id: string) => void;
}

export function FileHitsCard({ file, selected, onSelect }: Props) {
  const { first } = file;
  return (
    <article className={classes.card}>
      <Group className={classes.head} justify="space-between" wrap="nowrap" gap={8}>
        <FilePath repository={first.repository_name} path={first.path} />
        <Group gap={6} wrap="nowrap">
          {first.is_test && (
            <Badge size="sm" color="gray">
              <Trans>test</Trans>
            </Badge>
          )}
          <Code fz={11}>{first.branch}</Code>
        </Group>
      </Group>
      {file.hits.map((hit) => (
        <Hit key={hit.id} hit={hit} selected={hit.id === selected} onSelect={onSelect} />
      ))}
    </article>
  );
}

function Hit({ hit, selected, onSelect }: { hit: SearchHit; selected: boolean; onSelect: (id: string) => void }) {
  const { organization } = useScope();
  const { lines, hidden } = clipSnippet(hit.snippet, SNIPPET_LINES);
  return (
    <div className={classes.hit} data-selected={selected || undefined}>
      <Group gap={8} className={classes.meta}>
        <Link
          to="/o/$organization/code/$repositoryId"
          params={{ organization: organization.slug, repositoryId: hit.repository_id }}
          search={{ path: hit.path, branch: hit.branch, commit: hit.commit, lines: `${hit.start_line}-${hit.end_line}` }}
          className={classes.link}
          onFocus={() => {
            if (!selected) onSelect(hit.id);
          }}
          {...LIST_ITEM}
        >
          {hit.symbol ?? <Trans>lines {hit.start_line}–{hit.end_line}</Trans>}
        </Link>
        <Badge size="sm" variant="default" fw={400}>{hit.kind.replaceAll("_", " ")}</Badge>
        {hit.symbol && (
          <Text size="xs" c="dimmed">
            {hit.start_line}–{hit.end_line}
          </Text>
        )}
        <ChannelBadges channels={hit.channels} />
      </Group>
      {/* The whole snippet selects with the mouse; the link above does the same for the keyboard. */}
      {/* eslint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions */}
      <div className={classes.snippet} onClick={() => onSelect(hit.id)}>
        <CodeLines path={hit.path} lines={lines} />
        {hidden > 0 && (
          <Text className={classes.more} size="xs" c="dimmed">
            <Trans>{hidden} more lines</Trans>
          </Text>
        )}
      </div>
      {hit.explanation && <Explanation hit={hit} steps={hit.explanation} />}
    </div>
  );
}
