// The filters of the text as chips that can be taken out.
import { useLingui } from "@lingui/react/macro";
import { Group, Pill } from "@mantine/core";
import { parseQuery, removeToken, type Token } from "./query-text";

interface Props {
  text: string;
  onChange: (text: string) => void;
}

export function QueryChips({ text, onChange }: Props) {
  const { t } = useLingui();
  const tokens = parseQuery(text).filter((token) => token.type !== "word" || token.negated);
  if (tokens.length === 0) return null;
  return (
    <Group gap={6} mb={10} role="list" aria-label={t`Filters in the query`}>
      {tokens.map((token) => (
        <Pill
          key={token.start}
          role="listitem"
          ff="monospace"
          withRemoveButton
          onRemove={() => onChange(removeToken(text, token))}
          removeButtonProps={{ "aria-label": t`Remove ${labelOf(token)}`, tabIndex: 0, "aria-hidden": false }}
        >
          {labelOf(token)}
        </Pill>
      ))}
    </Group>
  );
}

function labelOf(token: Token): string {
  const sign = token.negated ? "-" : "";
  if (token.type === "filter") return `${sign}${token.key}:${token.value}`;
  if (token.type === "phrase") return `${sign}"${token.value}"`;
  return token.type === "regex" ? `${sign}/${token.value}/` : `${sign}${token.value}`;
}
