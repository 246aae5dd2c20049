// Which rows of a long table are in sight. Spacer rows of `before` and `after` pixels stand for the others.
import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { type RefObject, useLayoutEffect, useState } from "react";

export function useWindowRows(list: RefObject<HTMLElement | null>, count: number, rowHeight: number) {
  const [scrollMargin, setScrollMargin] = useState(0);
  useLayoutEffect(() => {
    const top = list.current?.getBoundingClientRect().top ?? 0;
    // eslint-disable-next-line react-hooks/set-state-in-effect -- where the list starts is known after layout only
    setScrollMargin(Math.round(top + window.scrollY));
  }, [list, count]);
  const virtualizer = useWindowVirtualizer({ count, estimateSize: () => rowHeight, overscan: 20, scrollMargin });
  const rows = virtualizer.getVirtualItems();
  const first = rows[0];
  const last = rows.at(-1);
  return {
    rows,
    before: first ? first.start - scrollMargin : 0,
    after: last ? virtualizer.getTotalSize() - (last.end - scrollMargin) : 0,
  };
}
