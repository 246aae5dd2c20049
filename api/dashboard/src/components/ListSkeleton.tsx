// A list on its way, with rows as high as the ones that will replace them.
import { useLingui } from "@lingui/react/macro";
import { Skeleton, Stack } from "@mantine/core";

interface Props {
  rows?: number;
  height?: number;
  gap?: number;
}

export function ListSkeleton({ rows = 8, height = 24, gap = 12 }: Props) {
  const { t } = useLingui();
  return (
    <Stack gap={gap} py={8} role="status" aria-label={t`Loading`} aria-busy>
      {Array.from({ length: rows }, (_, row) => (
        <Skeleton key={row} height={height} width={`${100 - ((row * 7) % 25)}%`} />
      ))}
    </Stack>
  );
}
