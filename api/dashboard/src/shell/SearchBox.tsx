// The search box of the header. On the search page it shows the query of the address.
import { useLingui } from "@lingui/react/macro";
import { CloseButton, Kbd, TextInput } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { SEARCH_BOX_ID } from "./search-box-focus";
import classes from "./Shell.module.css";
import { useShellOrganization } from "./use-shell-organization";

export function SearchBox() {
  const { t } = useLingui();
  const { organization } = useShellOrganization();
  const { q = "" } = useSearch({ strict: false });
  const navigate = useNavigate();
  const [draft, setDraft] = useState({ of: q, text: q });
  const text = draft.of === q ? draft.text : q;
  const setText = (value: string) => setDraft({ of: q, text: value });
  if (!organization) return <div className={classes.search} />;

  const submit = (event: FormEvent) => {
    event.preventDefault();
    void navigate({
      to: "/o/$organization/search",
      params: { organization: organization.slug },
      search: (previous) => ({ ...previous, q: text.trim() || undefined, hit: undefined }),
    });
  };

  return (
    <form role="search" onSubmit={submit} className={classes.search}>
      <TextInput
        id={SEARCH_BOX_ID}
        type="text"
        aria-label={t`Search code`}
        placeholder={t`Search code`}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === "Escape") event.currentTarget.blur();
        }}
        leftSection={<IconSearch size={16} stroke={1.75} />}
        rightSection={
          text ? <CloseButton size="sm" aria-label={t`Clear`} onClick={() => setText("")} /> : <Kbd size="xs">/</Kbd>
        }
      />
    </form>
  );
}
