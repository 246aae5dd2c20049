// Single keys that work wherever nothing is being typed. Which modifier makes `?` depends on the keyboard, so only the
// character counts.
import { useEffect, useRef } from "react";

type Keys = Record<string, () => void>;

const NOT_TYPED_IN = new Set(["checkbox", "radio", "button", "submit", "reset", "range", "color", "file"]);

export function useKeys(keys: Keys) {
  const latest = useRef(keys);
  useEffect(() => {
    latest.current = keys;
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const act = latest.current[event.key];
      if (!act || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      // A dialog has the keyboard to itself.
      if (document.querySelector('[role="dialog"]')) return;
      event.preventDefault();
      act();
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, []);
}

export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement) return !NOT_TYPED_IN.has(target.type);
  return target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement || target.isContentEditable;
}
