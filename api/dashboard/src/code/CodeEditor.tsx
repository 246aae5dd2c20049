// A read-only CodeMirror with line numbers that can be picked and lines that are lit.
import { useLingui } from "@lingui/react/macro";
import { useEffect, useRef } from "react";
import type { EditorView } from "@codemirror/view";
import type { LineRange } from "./address";
import { createEditor, litLines, showLines } from "./editor";

interface Props {
  className?: string;
  path: string;
  text: string;
  firstLine?: number;
  lit?: LineRange | null;
  onPick?: (lines: LineRange) => void;
}

export function CodeEditor({ className, path, text, firstLine = 1, lit = null, onPick }: Props) {
  const { t } = useLingui();
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const pick = useRef(onPick);
  const litNow = useRef(lit);
  const label = t`Code of ${path}`;
  const { start = null, end = null } = lit ?? {};

  useEffect(() => {
    pick.current = onPick;
    litNow.current = start === null || end === null ? null : { start, end };
  });

  useEffect(() => {
    if (!host.current) return;
    const editor = createEditor({
      parent: host.current,
      path,
      text,
      firstLine,
      label,
      onPick: (line, extend) => {
        const anchor = extend && litNow.current ? litNow.current.start : line;
        pick.current?.({ start: Math.min(anchor, line), end: Math.max(anchor, line) });
      },
    });
    view.current = editor;
    return () => editor.destroy();
  }, [path, text, firstLine, label]);

  useEffect(() => {
    const lines = start === null || end === null ? null : { start: start - firstLine + 1, end: end - firstLine + 1 };
    view.current?.dispatch({ effects: litLines.of(lines) });
    if (lines && view.current) showLines(view.current, lines);
  }, [start, end, firstLine, path, text, label]);

  return <div ref={host} className={className} />;
}
