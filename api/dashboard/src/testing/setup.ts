// What jsdom lacks and Mantine asks for.
import "@testing-library/jest-dom/vitest";
import { cleanup } from "@testing-library/react";
import { afterEach, vi } from "vitest";
import { i18n } from "@lingui/core";

i18n.loadAndActivate({ locale: "en", messages: {} });
afterEach(cleanup);

window.matchMedia ??= vi.fn((query: string) => ({
  matches: false,
  media: query,
  onchange: null,
  addListener: vi.fn(),
  removeListener: vi.fn(),
  addEventListener: vi.fn(),
  removeEventListener: vi.fn(),
  dispatchEvent: vi.fn(),
}));

window.ResizeObserver ??= class {
  observe() {}
  unobserve() {}
  disconnect() {}
};
