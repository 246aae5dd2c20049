import { useLingui } from "@lingui/react/macro";
import { formatBytes, formatCount, formatPercent } from "./number";

/** The formats above, bound to the language that is shown. */
export function useFormat() {
  const { i18n } = useLingui();
  const { locale } = i18n;
  return {
    count: (value: number) => formatCount(value, locale),
    bytes: (value: number) => formatBytes(value, locale),
    percent: (value: number) => formatPercent(value, locale),
  };
}
