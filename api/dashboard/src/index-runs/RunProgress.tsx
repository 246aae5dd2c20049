// The bar over the whole run, with rate and remaining time.
import { Trans, useLingui } from "@lingui/react/macro";
import { Group, Progress, Text } from "@mantine/core";
import type { IndexRunResponse } from "@/api/types";
import { formatDuration } from "@/format/time";
import { useFormat } from "@/format/use-format";
import { elapsedOf, etaOf, fractionOf, rateOf } from "./progress";

export function RunProgress({ run }: { run: IndexRunResponse }) {
  const { t } = useLingui();
  const format = useFormat();
  const fraction = fractionOf(run);
  const rate = rateOf(run);
  const eta = etaOf(run);
  const elapsed = elapsedOf(run);
  return (
    <div>
      <Progress
        value={fraction === null ? 100 : Math.max(fraction * 100, 1)}
        animated
        striped={fraction === null}
        color={fraction === null ? "gray" : "blue"}
        aria-label={t`Progress of the index run`}
        aria-valuetext={fraction === null ? t`queued` : format.percent(fraction)}
      />
      <Group justify="space-between" mt={6} gap="sm">
        <Text size="xs" c="dimmed">
          {fraction === null ? <Trans>Waiting for a worker</Trans> : format.percent(fraction)}
          {elapsed !== null && ` · ${formatDuration(elapsed)}`}
        </Text>
        <Text size="xs" c="dimmed">
          {rate !== null && <Trans>{format.count(Math.round(rate * 10) / 10)} files/s</Trans>}
          {rate !== null && eta !== null && " · "}
          {eta !== null && <Trans>about {formatDuration(eta)} left</Trans>}
        </Text>
      </Group>
    </div>
  );
}
