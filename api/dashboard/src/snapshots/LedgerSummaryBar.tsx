import { Plural, Trans, useLingui } from "@lingui/react/macro";
import { Group, Progress, Text } from "@mantine/core";
import type { LedgerSummary } from "@/api/types";
import { useFormat } from "@/format/use-format";

const LANGUAGES_SHOWN = 6;

export function LedgerSummaryBar({ summary }: { summary: LedgerSummary }) {
  const { t } = useLingui();
  const { count, percent } = useFormat();
  const seen = Math.max(summary.files_seen, 1);
  const languages = [...summary.by_language].sort((one, other) => other.count - one.count);
  return (
    <div>
      <Progress.Root size={8} aria-label={t`Files indexed and skipped`}>
        <Progress.Section value={(summary.files_indexed / seen) * 100} color="green" aria-label={t`indexed`} />
        <Progress.Section value={(summary.files_skipped / seen) * 100} color="gray" aria-label={t`skipped`} />
      </Progress.Root>
      <Group justify="space-between" mt={8} gap="xs">
        <Text size="sm">
          <Trans>
            {count(summary.files_indexed)} of {count(summary.files_seen)} files indexed ({percent(summary.files_indexed / seen)}),{" "}
            {count(summary.files_skipped)} skipped
          </Trans>
          {" · "}
          <Plural value={summary.chunks} one="# chunk" other="# chunks" />
        </Text>
        <Text size="xs" c="dimmed">
          {languages.slice(0, LANGUAGES_SHOWN).map((one) => `${one.language} ${count(one.count)}`).join(" · ")}
          {languages.length > LANGUAGES_SHOWN && " · …"}
        </Text>
      </Group>
    </div>
  );
}
