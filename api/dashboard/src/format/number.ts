// Counts and sizes, in the reader's language.
export function formatCount(value: number, locale: string): string {
  return new Intl.NumberFormat(locale).format(value);
}

const SIZES = ["B", "kB", "MB", "GB", "TB"];

export function formatBytes(bytes: number, locale: string): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1000 && unit < SIZES.length - 1) {
    value /= 1000;
    unit += 1;
  }
  const digits = unit === 0 || value >= 100 ? 0 : 1;
  return `${new Intl.NumberFormat(locale, { maximumFractionDigits: digits }).format(value)} ${SIZES[unit]}`;
}

export function formatPercent(fraction: number, locale: string): string {
  return new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 0 }).format(fraction);
}

/** Git shows seven digits; so do we. */
export function shortCommit(commit: string): string {
  return commit.slice(0, 7);
}
