// How the editor is put together. Colours come from the page's tokens; styles carry the policy's nonce.
import { Compartment, EditorState, StateEffect, StateField } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, keymap, lineNumbers } from "@codemirror/view";
import { syntaxHighlighting } from "@codemirror/language";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { classHighlighter } from "@lezer/highlight";
import { nonce } from "@/app/nonce";
import type { LineRange } from "./address";
import { languageOf } from "./highlight";

export interface EditorOptions {
  parent: HTMLElement;
  path: string;
  text: string;
  firstLine: number;
  label: string;
  onPick: (line: number, extend: boolean) => void;
}

/** Lights lines, numbered as the document numbers them, or none. */
export const litLines = StateEffect.define<LineRange | null>();

const litLine = Decoration.line({ class: "quarry-lit" });

const litField = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(lit, transaction) {
    const effect = transaction.effects.find((one) => one.is(litLines));
    if (!effect) return lit;
    const lines = effect.value as LineRange | null;
    if (!lines) return Decoration.none;
    const { doc } = transaction.state;
    const ranges = [];
    for (let line = Math.max(lines.start, 1); line <= Math.min(lines.end, doc.lines); line += 1) {
      ranges.push(litLine.range(doc.line(line).from));
    }
    return Decoration.set(ranges);
  },
  provide: (field) => EditorView.decorations.from(field),
});

const look = EditorView.theme({
  "&": { height: "100%", fontSize: "12.5px", color: "var(--code-text)", backgroundColor: "transparent" },
  ".cm-scroller": { fontFamily: "var(--mantine-font-family-monospace)", lineHeight: "20px" },
  ".cm-gutters": { backgroundColor: "var(--quarry-surface)", color: "var(--code-comment)", border: "none" },
  ".cm-lineNumbers .cm-gutterElement": { minWidth: "48px", padding: "0 14px 0 8px", cursor: "pointer" },
  ".cm-line": { padding: "0 16px 0 0" },
  ".quarry-lit": { backgroundColor: "var(--quarry-line-lit)" },
  ".cm-selectionMatch": { backgroundColor: "var(--quarry-selected)" },
  ".cm-searchMatch": { backgroundColor: "var(--quarry-mark)" },
  ".cm-searchMatch, .cm-searchMatch *": { color: "var(--code-text)" },
  ".cm-panels": { backgroundColor: "var(--quarry-raised)", color: "var(--mantine-color-text)" },
  "&.cm-focused": { outline: "none" },
});

export function createEditor({ parent, path, text, firstLine, label, onPick }: EditorOptions): EditorView {
  const language = new Compartment();
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: text,
      extensions: [
        EditorView.cspNonce.of(nonce()),
        EditorState.readOnly.of(true),
        EditorView.editable.of(false),
        EditorView.contentAttributes.of({ "aria-label": label, "aria-readonly": "true", tabindex: "0" }),
        lineNumbers({
          formatNumber: (line) => String(line + firstLine - 1),
          domEventHandlers: {
            mousedown(editor, block, event) {
              const line = editor.state.doc.lineAt(block.from).number + firstLine - 1;
              onPick(line, (event as MouseEvent).shiftKey);
              return true;
            },
          },
        }),
        syntaxHighlighting(classHighlighter),
        language.of([]),
        litField,
        search({ top: true }),
        highlightSelectionMatches({ minSelectionLength: 3 }),
        keymap.of(searchKeymap),
        look,
      ],
    }),
  });
  void languageOf(path)
    ?.load()
    .then((support) => {
      if (view.dom.isConnected) view.dispatch({ effects: language.reconfigure(support) });
    })
    .catch(() => undefined);
  return view;
}

export function showLines(view: EditorView, lines: LineRange) {
  const { doc } = view.state;
  const line = Math.min(Math.max(lines.start, 1), doc.lines);
  view.dispatch({ effects: EditorView.scrollIntoView(doc.line(line).from, { y: "center" }) });
}
