import { expect, it } from "vitest";
import { LEAST_SCORE, scorePassword } from "./strength";

it.each([
  ["password1234", []],
  ["x9#Lq2", []],
  ["adabyron1815", ["ada.byron@example.com", "Ada Byron"]],
])("finds %j weak", async (password, known) => {
  expect(await scorePassword(password, known)).toBeLessThan(LEAST_SCORE);
});

it("finds a long random one strong", async () => {
  expect(await scorePassword("vexing-otter-plinth-mural", ["ada@example.com"])).toBeGreaterThanOrEqual(LEAST_SCORE);
});
