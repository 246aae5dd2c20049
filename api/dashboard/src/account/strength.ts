// How hard a password is to guess, by the measure that the server uses. The word lists come in their own chunk, when a
// password is first typed. The server decides; this only says it earlier.
import type { ZxcvbnFactory } from "@zxcvbn-ts/core";

export const LEAST_CHARACTERS = 10;
export const LEAST_SCORE = 3;

let estimator: Promise<ZxcvbnFactory> | null = null;

function loadEstimator() {
  estimator ??= Promise.all([import("@zxcvbn-ts/core"), import("@zxcvbn-ts/language-common")]).then(
    ([{ ZxcvbnFactory }, { dictionary, adjacencyGraphs }]) => new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs }),
  );
  return estimator;
}

/** 0 (guessed at once) to 4 (not guessed); `known` are words that somebody who knows the person would try. */
export async function scorePassword(password: string, known: string[]): Promise<number> {
  if (!password) return 0;
  const { score } = (await loadEstimator()).check(password, ["quarry", ...known.flatMap(parts)]);
  return password.length < LEAST_CHARACTERS ? Math.min(score, LEAST_SCORE - 1) : score;
}

function parts(text: string) {
  const words = text.split(/[^\p{L}\p{N}]+/u);
  return [text, words.join(""), ...words].map((part) => part.toLowerCase()).filter((part) => part.length >= 3);
}
