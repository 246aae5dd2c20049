import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import { renderInApp } from "@/testing/render";
import { useKeys } from "./use-keys";

const act = vi.fn();
beforeEach(() => act.mockClear());

function Probe({ dialog = false }: { dialog?: boolean }) {
  useKeys({ j: act, "?": act });
  return (
    <>
      <input aria-label="text" />
      <input aria-label="box" type="checkbox" />
      {dialog && <div role="dialog" />}
    </>
  );
}

it("hears keys on the page and on a checkbox, but not while text is typed", async () => {
  renderInApp(<Probe />);
  await userEvent.keyboard("j?");
  expect(act).toHaveBeenCalledTimes(2);
  await userEvent.click(screen.getByLabelText("box"));
  await userEvent.keyboard("j");
  expect(act).toHaveBeenCalledTimes(3);
  await userEvent.type(screen.getByLabelText("text"), "j?");
  expect(act).toHaveBeenCalledTimes(3);
});

it("leaves shortcuts of the browser alone", async () => {
  renderInApp(<Probe />);
  await userEvent.keyboard("{Control>}j{/Control}");
  expect(act).not.toHaveBeenCalled();
});

it("is quiet below a dialog", async () => {
  renderInApp(<Probe dialog />);
  await userEvent.keyboard("j");
  expect(act).not.toHaveBeenCalled();
});
