import { Trans, useLingui } from "@lingui/react/macro";
import { Box, Group, SegmentedControl, Switch, Title, VisuallyHidden } from "@mantine/core";
import { useDocumentTitle } from "@mantine/hooks";
import { getRouteApi } from "@tanstack/react-router";
import { useKeys } from "@/components/use-keys";
import { ExactSearch } from "./ExactSearch";
import { RankedSearch } from "./RankedSearch";
import classes from "./SearchPage.module.css";

const route = getRouteApi("/shell/o/$organization/search");

export function SearchPage() {
  const { t } = useLingui();
  const { q, mode, explain } = route.useSearch();
  const navigate = route.useNavigate();
  useDocumentTitle(q ? `${q} · Quarry` : t`Search · Quarry`);

  const setExplain = (on: boolean) =>
    void navigate({ search: (previous) => ({ ...previous, explain: on || undefined }), replace: true, resetScroll: false });
  useKeys({ e: () => setExplain(!explain) });

  return (
    <Box className={classes.page}>
      <VisuallyHidden>
        <Title order={1}><Trans>Search</Trans></Title>
      </VisuallyHidden>
      <Group className={classes.bar} justify="space-between" gap="sm">
        <SegmentedControl
          size="xs"
          aria-label={t`Kind of search`}
          value={mode ?? "ranked"}
          onChange={(value) =>
            void navigate({
              search: (previous) => ({ ...previous, mode: value === "exact" ? "exact" : undefined, hit: undefined }),
            })
          }
          data={[
            { value: "ranked", label: t`Ranked` },
            { value: "exact", label: t`Exact` },
          ]}
        />
        {mode !== "exact" && (
          <Switch
            size="xs"
            label={t`Explain`}
            checked={explain ?? false}
            onChange={(event) => setExplain(event.currentTarget.checked)}
          />
        )}
      </Group>
      {mode === "exact" ? <ExactSearch /> : <RankedSearch />}
    </Box>
  );
}
