import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import { renderInApp } from "@/testing/render";
import { QueryChips } from "./QueryChips";

it("mirrors the filters of the text and takes one out", async () => {
  const onChange = vi.fn();
  renderInApp(<QueryChips text='retry lang:rust -legacy "back off"' onChange={onChange} />);
  expect(screen.getAllByRole("listitem").map((item) => item.textContent)).toEqual(["lang:rust", "-legacy", '"back off"']);
  await userEvent.click(screen.getByRole("button", { name: "Remove lang:rust" }));
  expect(onChange).toHaveBeenCalledWith('retry -legacy "back off"');
});

it("shows nothing for plain words", () => {
  renderInApp(<QueryChips text="retry policy" onChange={vi.fn()} />);
  expect(screen.queryByRole("list")).toBeNull();
});
