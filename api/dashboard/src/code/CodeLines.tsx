// A few lines of code with numbers, colours and marks: snippets and exact matches.
import { useQuery } from "@tanstack/react-query";
import classes from "./CodeLines.module.css";
import { markSegments, type Range } from "./segments";

export interface CodeLine {
  number: number;
  text: string;
  ranges: Range[];
}

export function CodeLines({ path, lines }: { path: string; lines: CodeLine[] }) {
  const text = lines.map((line) => line.text).join("\n");
  const { data: coloured } = useQuery({
    queryKey: ["highlight", path, text],
    queryFn: async () => (await import("./highlight")).highlightLines(text, path),
    staleTime: Infinity,
    gcTime: 60_000,
    retry: false,
  });
  return (
    <div className={classes.lines}>
      {lines.map((line, index) => (
        <div key={line.number} className={classes.line}>
          <span className={classes.number} aria-hidden>
            {line.number}
          </span>
          <code className={classes.text}>
            {markSegments(coloured?.[index] ?? [{ text: line.text, className: "" }], line.ranges).map((segment, at) =>
              segment.marked ? (
                <mark key={at} className={`${classes.mark} ${segment.className}`}>
                  {segment.text}
                </mark>
              ) : (
                <span key={at} className={segment.className}>
                  {segment.text}
                </span>
              ),
            )}
          </code>
        </div>
      ))}
    </div>
  );
}
