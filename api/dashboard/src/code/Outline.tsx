// The symbols of the file; `s` goes to the filter.
import { Trans, useLingui } from "@lingui/react/macro";
import { Text, TextInput, UnstyledButton } from "@mantine/core";
import { IconHash } from "@tabler/icons-react";
import { useRef, useState } from "react";
import type { OutlineSymbol } from "@/api/types";
import { useKeys } from "@/components/use-keys";
import type { LineRange } from "./address";
import classes from "./CodePage.module.css";
import outline from "./Outline.module.css";

interface Props {
  symbols: OutlineSymbol[];
  lines: LineRange | null;
  onPick: (lines: LineRange) => void;
}

export function Outline({ symbols, lines, onPick }: Props) {
  const { t } = useLingui();
  const [filter, setFilter] = useState("");
  const input = useRef<HTMLInputElement>(null);
  useKeys({ s: () => input.current?.focus() });
  const shown = symbols.filter((symbol) => symbol.qualified_name.toLowerCase().includes(filter.toLowerCase()));
  const current = lines && symbols.findLast((symbol) => symbol.start_line <= lines.start && lines.start <= symbol.end_line);
  const open = (symbol: OutlineSymbol) => onPick({ start: symbol.start_line, end: symbol.end_line });

  return (
    <aside className={classes.outline} aria-label={t`Symbols`}>
      <TextInput
        ref={input}
        size="xs"
        mb={8}
        aria-label={t`Filter symbols`}
        placeholder={t`Jump to a symbol (s)`}
        leftSection={<IconHash size={13} />}
        value={filter}
        onChange={(event) => setFilter(event.currentTarget.value)}
        onKeyDown={(event) => {
          const first = shown[0];
          if (event.key === "Enter" && first) open(first);
          if (event.key === "Escape") event.currentTarget.blur();
        }}
      />
      {symbols.length === 0 && (
        <Text size="xs" c="dimmed" px={8}>
          <Trans>No symbol was found in this file.</Trans>
        </Text>
      )}
      {shown.map((symbol) => (
        <UnstyledButton
          key={`${symbol.start_line}:${symbol.qualified_name}`}
          className={outline.symbol}
          aria-current={symbol === current || undefined}
          title={symbol.qualified_name}
          onClick={() => open(symbol)}
        >
          <span className={outline.name}>{symbol.name}</span>
          <span className={outline.kind}>{symbol.kind.replaceAll("_", " ")}</span>
        </UnstyledButton>
      ))}
    </aside>
  );
}
