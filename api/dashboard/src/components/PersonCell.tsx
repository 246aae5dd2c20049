import { Badge, Group, Text } from "@mantine/core";
import { Trans } from "@lingui/react/macro";

interface Props {
  name: string;
  email: string;
  isSelf?: boolean;
}

/** Somebody in a table: the name, and the address below it. */
export function PersonCell({ name, email, isSelf = false }: Props) {
  return (
    <>
      <Group gap={8} wrap="nowrap">
        <Text size="sm" fw={500} truncate>{name || email}</Text>
        {isSelf && <Badge size="xs" color="gray" style={{ flexShrink: 0 }}><Trans>you</Trans></Badge>}
      </Group>
      {name && <Text size="xs" c="dimmed" truncate>{email}</Text>}
    </>
  );
}
