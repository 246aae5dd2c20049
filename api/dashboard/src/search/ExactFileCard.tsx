import { Plural } from "@lingui/react/macro";
import { Code, Group, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ExactFile } from "@/api/types";
import { CodeLines } from "@/code/CodeLines";
import { LIST_ITEM } from "@/components/use-list-keys";
import { useScope } from "@/organizations/scope";
import cardClasses from "./FileHitsCard.module.css";
import classes from "./ExactFileCard.module.css";
import { FilePath } from "./FilePath";

export function ExactFileCard({ file }: { file: ExactFile }) {
  const { organization } = useScope();
  return (
    <article className={cardClasses.card}>
      <Group className={cardClasses.head} justify="space-between" wrap="nowrap" gap={8}>
        <FilePath repository={file.repository_name} path={file.path} />
        <Group gap={8} wrap="nowrap">
          <Text size="xs" c="dimmed" style={{ whiteSpace: "nowrap" }}>
            <Plural value={file.matches.length} one="# line" other="# lines" />
          </Text>
          <Code fz={11}>{file.branch}</Code>
        </Group>
      </Group>
      <div className={classes.lines}>
        {linesOf(file).map((line) => (
          <Link
            key={line.number}
            to="/o/$organization/code/$repositoryId"
            params={{ organization: organization.slug, repositoryId: file.repository_id }}
            search={{ path: file.path, branch: file.branch, commit: file.commit, lines: String(line.number) }}
            className={classes.line}
            {...LIST_ITEM}
          >
            <CodeLines path={file.path} lines={[line]} />
          </Link>
        ))}
      </div>
    </article>
  );
}

/** Matches of the same line are one line with several marks; `text_offset` is how many columns the server cut off. */
function linesOf(file: ExactFile) {
  const lines = new Map<number, { number: number; text: string; ranges: { start: number; end: number }[] }>();
  for (const match of file.matches) {
    const line = lines.get(match.line) ?? { number: match.line, text: match.text, ranges: [] };
    line.ranges.push({ start: match.start - match.text_offset, end: match.end - match.text_offset });
    lines.set(match.line, line);
  }
  return [...lines.values()];
}
