// Which channels found a hit, each with its rank.
import { useLingui } from "@lingui/react/macro";
import { Group, Text, Tooltip } from "@mantine/core";
import type { SearchHit } from "@/api/types";
import classes from "./ChannelBadges.module.css";

export function ChannelBadges({ channels }: { channels: SearchHit["channels"] }) {
  const { t } = useLingui();
  const found = channels.filter((channel) => channel.rank != null);
  return (
    <Group gap={4} className={classes.badges}>
      {found.map((channel) => (
        <Tooltip key={channel.name} label={t`Rank ${channel.rank ?? 0} in the ${channel.name} channel`}>
          <Text span className={classes.badge}>
            {channel.name} {channel.rank}
          </Text>
        </Tooltip>
      ))}
    </Group>
  );
}
