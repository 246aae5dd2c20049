// j and k move the focus through the links of a list; Enter then opens one as it opens any link.
import { type RefObject, useCallback } from "react";
import { useKeys } from "./use-keys";

/** Marks the element of a row that takes the focus. */
export const LIST_ITEM = { "data-list-item": true } as const;

export function useListKeys(list: RefObject<HTMLElement | null>) {
  const move = useCallback(
    (step: 1 | -1) => {
      const items = [...(list.current?.querySelectorAll<HTMLElement>("[data-list-item]") ?? [])];
      const current = items.findIndex((item) => item === document.activeElement);
      const next = current < 0 ? (step === 1 ? 0 : items.length - 1) : current + step;
      const item = items[Math.min(Math.max(next, 0), items.length - 1)];
      item?.focus();
      item?.scrollIntoView({ block: "nearest" });
    },
    [list],
  );
  useKeys({ j: () => move(1), k: () => move(-1) });
}
