import { screen, waitFor } from "@testing-library/react";
import { expect, it } from "vitest";
import { renderInApp } from "@/testing/render";
import { CodeLines } from "./CodeLines";

it("shows numbers, marks, and colours once the parser has loaded", async () => {
  renderInApp(<CodeLines path="src/main.ts" lines={[{ number: 41, text: 'const crab = "🦀🦀"; // crab', ranges: [{ start: 6, end: 10 }] }]} />);
  expect(screen.getByText("41")).toBeInTheDocument();
  expect(document.querySelector("mark")).toHaveTextContent("crab");
  await waitFor(() => expect(document.querySelector(".tok-keyword")).toHaveTextContent("const"));
  expect(document.querySelector("mark")).toHaveTextContent(/^crab$/);
  expect(document.querySelector(".tok-string")).toHaveTextContent('"🦀🦀"');
});

it("shows a file of an unknown language as plain text", () => {
  renderInApp(<CodeLines path="data.unknown" lines={[{ number: 1, text: "<b>not markup</b>", ranges: [] }]} />);
  expect(screen.getByText("<b>not markup</b>")).toBeInTheDocument();
});
