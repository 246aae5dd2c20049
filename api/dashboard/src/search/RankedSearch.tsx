import { Trans } from "@lingui/react/macro";
import { Box } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { EmptyState } from "@/components/EmptyState";
import { ListSkeleton } from "@/components/ListSkeleton";
import { ProblemAlert } from "@/components/ProblemAlert";
import { useScope } from "@/organizations/scope";
import { Facets } from "./Facets";
import { HitList } from "./HitList";
import { Preview } from "./Preview";
import { QueryChips } from "./QueryChips";
import { searchQuery } from "./queries";
import { hasTerms } from "./query-text";
import { SearchFooter } from "./SearchFooter";
import { SearchHelp } from "./SearchHelp";
import { SearchNotices } from "./SearchNotices";
import classes from "./SearchPage.module.css";

const route = getRouteApi("/shell/o/$organization/search");
const HITS = 30;

export function RankedSearch() {
  const { organization, project } = useScope();
  const { q = "", explain = false, hit: hitId } = route.useSearch();
  const navigate = route.useNavigate();
  const wide = useMediaQuery("(min-width: 75em)", undefined, { getInitialValueInEffect: false });
  const query = useQuery({
    ...searchQuery({
      query: q,
      organization_id: organization.id,
      ...(project ? { project_ids: [project.id] } : {}),
      limit: HITS,
      explain,
    }),
    enabled: hasTerms(q),
  });
  const setText = (text: string) =>
    void navigate({ search: (previous) => ({ ...previous, q: text || undefined, hit: undefined }) });
  const select = (id: string) =>
    void navigate({ search: (previous) => ({ ...previous, hit: id }), replace: true, resetScroll: false });

  if (!hasTerms(q)) {
    return (
      <Box className={classes.single}>
        <QueryChips text={q} onChange={setText} />
        <SearchHelp />
      </Box>
    );
  }
  const answer = query.data;
  if (!answer) {
    return (
      <Box className={classes.single}>
        <QueryChips text={q} onChange={setText} />
        {query.isError ? (
          <ProblemAlert error={query.error} onRetry={() => void query.refetch()} />
        ) : (
          <ListSkeleton rows={6} height={120} gap={16} />
        )}
      </Box>
    );
  }
  const selected = answer.hits.find((hit) => hit.id === hitId) ?? answer.hits[0];
  return (
    <div className={`${classes.columns} ${query.isPlaceholderData ? classes.fade : ""}`}>
      <aside className={classes.facets}>
        <Facets facets={answer.facets} text={q} onChange={setText} />
      </aside>
      <section className={classes.hits}>
        <QueryChips text={q} onChange={setText} />
        <SearchNotices answer={answer} />
        {answer.hits.length === 0 ? (
          <EmptyState title={<Trans>Nothing found</Trans>}>
            <Trans>Use fewer words, remove a filter, or search exactly for a text or a regular expression.</Trans>
          </EmptyState>
        ) : (
          <HitList hits={answer.hits} selected={selected?.id} onSelect={select} />
        )}
        <SearchFooter searched={answer.searched} tookMs={answer.took_ms} channels={answer.channels} />
      </section>
      {wide && <div className={classes.preview}>{selected && <Preview key={selected.id} hit={selected} />}</div>}
    </div>
  );
}
