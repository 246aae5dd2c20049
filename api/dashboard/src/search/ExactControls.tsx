import { useLingui } from "@lingui/react/macro";
import { Chip, Group, Select, TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { useScope } from "@/organizations/scope";
import { repositoriesQuery } from "@/repositories/queries";
import type { SearchSearch } from "./address";

const route = getRouteApi("/shell/o/$organization/search");

export function ExactControls() {
  const { t } = useLingui();
  const { project, projects } = useScope();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { data: repositories = [] } = useQuery(repositoriesQuery(project ? [project] : projects));
  const [path, setPath] = useState(search.path ?? "");
  const [lang, setLang] = useState(search.lang ?? "");
  const change = (part: SearchSearch) =>
    void navigate({ search: (previous) => ({ ...previous, ...part }), replace: true, resetScroll: false });
  const changeLater = useDebouncedCallback(change, 300);

  return (
    <Group gap={8} mb={12}>
      <Chip size="xs" checked={search.regex ?? false} onChange={(on) => change({ regex: on || undefined })}>
        {t`Regular expression`}
      </Chip>
      <Chip size="xs" checked={search.case ?? false} onChange={(on) => change({ case: on || undefined })}>
        {t`Match case`}
      </Chip>
      <Chip size="xs" checked={search.word ?? false} onChange={(on) => change({ word: on || undefined })}>
        {t`Whole word`}
      </Chip>
      <Select
        size="xs"
        w={180}
        clearable
        searchable
        aria-label={t`Repository`}
        placeholder={t`Any repository`}
        data={repositories.map((repository) => ({ value: repository.id, label: repository.name }))}
        value={search.repo ?? null}
        onChange={(repo) => change({ repo: repo ?? undefined })}
      />
      <TextInput
        size="xs"
        w={140}
        aria-label={t`Languages`}
        placeholder={t`Languages: rust, go`}
        value={lang}
        onChange={(event) => {
          setLang(event.currentTarget.value);
          changeLater({ lang: event.currentTarget.value || undefined });
        }}
      />
      <TextInput
        size="xs"
        w={180}
        ff="monospace"
        aria-label={t`Path pattern`}
        placeholder={t`Path: src/**/*.rs`}
        value={path}
        onChange={(event) => {
          setPath(event.currentTarget.value);
          changeLater({ path: event.currentTarget.value || undefined });
        }}
      />
    </Group>
  );
}
