import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import { renderInApp } from "@/testing/render";
import { ConfirmByName } from "./ConfirmByName";

it("asks for the whole name before it lets anything be deleted", async () => {
  const onConfirm = vi.fn();
  renderInApp(
    <ConfirmByName opened onClose={vi.fn()} name="service" title="Delete service?" consequence="All of it." action="Delete repository" error={null} pending={false} onConfirm={onConfirm} />,
  );
  const button = screen.getByRole("button", { name: "Delete repository" });
  const input = screen.getByRole("textbox");
  await userEvent.type(input, "servic{Enter}");
  expect(button).toBeDisabled();
  expect(onConfirm).not.toHaveBeenCalled();
  await userEvent.type(input, "e");
  await userEvent.click(button);
  expect(onConfirm).toHaveBeenCalledOnce();
});
