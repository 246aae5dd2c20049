// Pieces of a line: syntax colour and search marks laid over each other.

export interface Segment {
  text: string;
  className: string;
  marked?: boolean;
}

export interface Range {
  start: number;
  end: number;
}

/**
 * Marks ranges of a line. Columns are UTF-16 code units from 0, which is what JavaScript strings count in; ranges may
 * touch, overlap, or reach beyond the line.
 */
export function markSegments(segments: Segment[], ranges: Range[]): Segment[] {
  const merged = mergeRanges(ranges);
  const result: Segment[] = [];
  let column = 0;
  for (const segment of segments) {
    let at = 0;
    while (at < segment.text.length) {
      const position = column + at;
      const inside = merged.find((range) => range.start <= position && position < range.end);
      const next = merged.find((range) => range.start > position);
      const stop = Math.min(inside?.end ?? next?.start ?? Infinity, column + segment.text.length) - column;
      const text = segment.text.slice(at, stop);
      result.push(inside ? { ...segment, text, marked: true } : { ...segment, text });
      at = stop;
    }
    column += segment.text.length;
  }
  return result;
}

function mergeRanges(ranges: Range[]): Range[] {
  const sorted = ranges.filter((range) => range.end > range.start).sort((one, other) => one.start - other.start);
  const merged: Range[] = [];
  for (const range of sorted) {
    const last = merged.at(-1);
    if (last && range.start <= last.end) last.end = Math.max(last.end, range.end);
    else merged.push({ ...range });
  }
  return merged;
}
