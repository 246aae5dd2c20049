import { Trans } from "@lingui/react/macro";
import { Anchor, Box, Group, Text } from "@mantine/core";
import { IconFileOff } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ApiError } from "@/api/problem";
import type { FileResponse } from "@/api/types";
import { EmptyState } from "@/components/EmptyState";
import { ListSkeleton } from "@/components/ListSkeleton";
import { ProblemAlert } from "@/components/ProblemAlert";
import { useFormat } from "@/format/use-format";
import { useScope } from "@/organizations/scope";
import { formatLines, type LineRange } from "./address";
import { CodeEditor } from "./CodeEditor";
import classes from "./CodePage.module.css";
import { FileActions } from "./FileActions";
import { Outline } from "./Outline";
import { fileQuery } from "./queries";
import { useCodeAddress } from "./use-code-address";

export function FilePane() {
  const { repositoryId, path, revision } = useCodeAddress();
  const query = useQuery(fileQuery(repositoryId, { path, ...revision }));
  if (query.error instanceof ApiError && query.error.code === "file_not_indexed") {
    return <NotIndexed detail={query.error.detail} />;
  }
  if (query.isError) {
    return (
      <Box p="md" maw={640}>
        <ProblemAlert error={query.error} onRetry={() => void query.refetch()} />
      </Box>
    );
  }
  if (!query.data) return <Box p="md"><ListSkeleton rows={24} height={12} gap={8} /></Box>;
  return <FileView file={query.data} />;
}

function FileView({ file }: { file: FileResponse }) {
  const { count } = useFormat();
  const { lines, go } = useCodeAddress();
  const pick = (range: LineRange) => go({ lines: formatLines(range) }, true);
  return (
    <>
      <Group px={16} py={6} justify="space-between" gap={8} style={{ borderBottom: "1px solid var(--quarry-border)" }}>
        <Text size="xs" c="dimmed">
          {file.language && `${file.language} · `}
          <Trans>{count(file.total_lines)} lines</Trans>
          {lines && (
            <>
              {" · "}
              <Trans>lines {formatLines(lines)} chosen</Trans>
            </>
          )}
        </Text>
        <FileActions file={file} lines={lines} />
      </Group>
      <div className={classes.file}>
        <CodeEditor
          className={classes.editor}
          path={file.path}
          text={file.text}
          firstLine={file.start_line}
          lit={lines}
          onPick={pick}
        />
        <Outline symbols={file.symbols} lines={lines} onPick={pick} />
      </div>
    </>
  );
}

function NotIndexed({ detail }: { detail: string | null }) {
  const { organization } = useScope();
  const { repositoryId, path, search } = useCodeAddress();
  return (
    <EmptyState
      icon={<IconFileOff size={28} stroke={1.5} />}
      title={<Trans>This file is in the commit but was not indexed</Trans>}
      action={
        <Anchor
          size="sm"
          renderRoot={(props) => (
            <Link
              to="/o/$organization/repositories/$repositoryId"
              params={{ organization: organization.slug, repositoryId }}
              search={{ tab: "ledger", status: "skipped", prefix: path, snapshot: search.snapshot }}
              {...props}
            />
          )}
        >
          <Trans>Show it in the ledger</Trans>
        </Anchor>
      }
    >
      {detail}
    </EmptyState>
  );
}
