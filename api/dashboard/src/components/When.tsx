// A time as an age, with the full time in the tooltip and for machines.
import { useLingui } from "@lingui/react/macro";
import { formatAge, formatTime } from "@/format/time";

export function When({ at }: { at: string | null | undefined }) {
  const { i18n } = useLingui();
  if (!at) return <>—</>;
  return (
    <time dateTime={at} title={formatTime(at, i18n.locale)}>
      {formatAge(at, i18n.locale)}
    </time>
  );
}
