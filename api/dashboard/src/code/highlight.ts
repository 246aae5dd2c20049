// Syntax colours for text outside an editor: the same parsers and the same classes.
import { LanguageDescription } from "@codemirror/language";
import { languages } from "@codemirror/language-data";
import { classHighlighter, highlightCode } from "@lezer/highlight";
import type { Segment } from "./segments";

export function languageOf(path: string): LanguageDescription | null {
  return LanguageDescription.matchFilename(languages, path.split("/").at(-1) ?? path);
}

/** The lines of `text` as coloured segments; null for a language without a parser. */
export async function highlightLines(text: string, path: string): Promise<Segment[][] | null> {
  const support = await languageOf(path)?.load();
  if (!support) return null;
  const lines: Segment[][] = [[]];
  highlightCode(
    text,
    support.language.parser.parse(text),
    classHighlighter,
    (segment, className) => lines.at(-1)?.push({ text: segment, className }),
    () => lines.push([]),
  );
  return lines;
}
