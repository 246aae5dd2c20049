// A state as a dot and a word; the colour never stands alone.
import { Badge } from "@mantine/core";

export function StateBadge({ color, label }: { color: string; label: string }) {
  return (
    <Badge variant="dot" color={color} fw={400} size="md">
      {label}
    </Badge>
  );
}
