// Every line that holds a text or matches a regular expression.
import { Plural, Trans } from "@lingui/react/macro";
import { Alert, Box, Text } from "@mantine/core";
import { IconInfoCircle } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useRef } from "react";
import { EmptyState } from "@/components/EmptyState";
import { ListSkeleton } from "@/components/ListSkeleton";
import { ProblemAlert } from "@/components/ProblemAlert";
import { useListKeys } from "@/components/use-list-keys";
import { useFormat } from "@/format/use-format";
import { useScope } from "@/organizations/scope";
import { ExactControls } from "./ExactControls";
import { ExactFileCard } from "./ExactFileCard";
import { exactSearchQuery } from "./queries";
import { SearchFooter } from "./SearchFooter";
import classes from "./SearchPage.module.css";

const route = getRouteApi("/shell/o/$organization/search");

export function ExactSearch() {
  const { organization, project } = useScope();
  const search = route.useSearch();
  const list = useRef<HTMLDivElement>(null);
  useListKeys(list);
  const query = useQuery({
    ...exactSearchQuery({
      pattern: search.q ?? "",
      regex: search.regex ?? false,
      case_sensitive: search.case ?? false,
      whole_word: search.word ?? false,
      organization_id: organization.id,
      ...(project ? { project_ids: [project.id] } : {}),
      ...(search.repo ? { repository_ids: [search.repo] } : {}),
      ...(search.lang ? { languages: search.lang.split(",").map((one) => one.trim()).filter(Boolean) } : {}),
      ...(search.path ? { path: search.path } : {}),
    }),
    enabled: search.q !== undefined,
  });
  const answer = query.data;
  return (
    <Box className={classes.single}>
      <ExactControls />
      {search.q === undefined && (
        <EmptyState title={<Trans>Find every line that holds a text</Trans>}>
          <Trans>The text in the search box is taken as it stands; switch on “Regular expression” for patterns.</Trans>
        </EmptyState>
      )}
      {search.q !== undefined && query.isPending && <ListSkeleton rows={6} height={80} gap={16} />}
      {query.isError && <ProblemAlert error={query.error} onRetry={() => void query.refetch()} />}
      {answer && !query.isError && search.q !== undefined && (
        <div ref={list} className={query.isPlaceholderData ? classes.fade : undefined}>
          <Text size="sm" mb={8} role="status">
            <Plural value={answer.matches} one="# matching line" other="# matching lines" />{" "}
            <Plural value={answer.files.length} one="in # file" other="in # files" />
          </Text>
          {answer.stopped_early && <StoppedEarly considered={answer.files_considered} reason={answer.stop_reason ?? null} />}
          {answer.files.length === 0 && !answer.stopped_early && (
            <EmptyState title={<Trans>No line matches</Trans>}>
              <Trans>Every indexed file in the scope was considered. Check the case, or widen the filters.</Trans>
            </EmptyState>
          )}
          {answer.files.map((file) => (
            <ExactFileCard key={`${file.repository_id}:${file.branch}:${file.path}`} file={file} />
          ))}
        </div>
      )}
      {answer && search.q !== undefined && !query.isError && <SearchFooter searched={answer.searched} tookMs={answer.took_ms} />}
    </Box>
  );
}

function StoppedEarly({ considered, reason }: { considered: number; reason: string | null }) {
  const { count } = useFormat();
  return (
    <Alert color="yellow" p="xs" mb={12} icon={<IconInfoCircle size={16} />} title={<Trans>These are not all matches</Trans>}>
      <Trans>The search stopped early, after {count(considered)} files. Narrow it to see the rest.</Trans>
      {reason && <Text size="xs" c="dimmed">{reason.replaceAll("_", " ")}</Text>}
    </Alert>
  );
}
