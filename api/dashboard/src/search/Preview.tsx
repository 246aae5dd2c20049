// The file of the selected hit, at its lines.
import { Trans, useLingui } from "@lingui/react/macro";
import { Anchor, Box, Group, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import type { SearchHit } from "@/api/types";
import { fileQuery } from "@/code/queries";
import { ListSkeleton } from "@/components/ListSkeleton";
import { ProblemAlert } from "@/components/ProblemAlert";
import { useScope } from "@/organizations/scope";
import classes from "./Preview.module.css";

const CodeEditor = lazy(() => import("@/code/CodeEditor").then((module) => ({ default: module.CodeEditor })));
const LINES_AROUND = 60;

export function Preview({ hit }: { hit: SearchHit }) {
  const { t } = useLingui();
  const { organization } = useScope();
  const query = useQuery(
    fileQuery(hit.repository_id, {
      path: hit.path,
      snapshot_id: hit.snapshot_id,
      start_line: Math.max(hit.start_line - LINES_AROUND, 1),
      end_line: hit.end_line + LINES_AROUND,
    }),
  );
  return (
    <section className={classes.preview} aria-label={t`Preview`}>
      <Group className={classes.head} justify="space-between" wrap="nowrap" gap={8}>
        <Text size="xs" ff="monospace" truncate title={hit.path}>
          {hit.path}:{hit.start_line}
        </Text>
        <Anchor
          size="xs"
          flex="none"
          renderRoot={(props) => (
            <Link
              to="/o/$organization/code/$repositoryId"
              params={{ organization: organization.slug, repositoryId: hit.repository_id }}
              search={{ path: hit.path, branch: hit.branch, commit: hit.commit, lines: `${hit.start_line}-${hit.end_line}` }}
              {...props}
            />
          )}
        >
          <Trans>Open file</Trans>
        </Anchor>
      </Group>
      {query.isPending && <Box px="md"><ListSkeleton rows={20} height={14} gap={6} /></Box>}
      {query.isError && <Box p="md"><ProblemAlert error={query.error} onRetry={() => void query.refetch()} /></Box>}
      {query.data && (
        <Suspense fallback={null}>
          <CodeEditor
            className={classes.editor}
            path={hit.path}
            text={query.data.text}
            firstLine={query.data.start_line}
            lit={{ start: hit.start_line, end: hit.end_line }}
          />
        </Suspense>
      )}
    </section>
  );
}
