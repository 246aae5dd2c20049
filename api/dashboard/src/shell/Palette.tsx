// ⌘K: pages, repositories, symbols and actions.
import { useLingui } from "@lingui/react/macro";
import { Spotlight, type SpotlightActionGroupData } from "@mantine/spotlight";
import { useDebouncedValue } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import { useState } from "react";
import classes from "./Palette.module.css";
import { usePageActions } from "./use-page-actions";
import { useRepositoryActions } from "./use-repository-actions";
import { useSymbolActions } from "./use-symbol-actions";

export function Palette() {
  const { t } = useLingui();
  const [text, setText] = useState("");
  const [settled] = useDebouncedValue(text, 150);
  const groups: SpotlightActionGroupData[] = [
    { group: t`Go to`, actions: usePageActions(text) },
    { group: t`Repositories`, actions: useRepositoryActions() },
    { group: t`Symbols`, actions: useSymbolActions(settled) },
  ];
  return (
    <Spotlight
      actions={groups.filter((group) => group.actions.length > 0)}
      query={text}
      onQueryChange={setText}
      shortcut={null}
      nothingFound={t`Nothing found`}
      highlightQuery
      limit={12}
      scrollable
      classNames={{ actionsGroup: classes.group }}
      maxHeight={420}
      transitionProps={{ duration: 100 }}
      overlayProps={{ blur: 0, backgroundOpacity: 0.4 }}
      attributes={{ content: { "aria-label": t`Palette` } }}
      searchProps={{
        leftSection: <IconSearch size={18} stroke={1.75} />,
        placeholder: t`Go to a page, a repository or a symbol`,
        "aria-label": t`Go to a page, a repository or a symbol`,
      }}
    />
  );
}
