import { describe, expect, it } from "vitest";
import { mayRetry } from "@/app/query-client";
import { unwrap } from "./client";
import { ApiError, networkError, toApiError } from "./problem";
import { detailOf, sentenceOf, sentenceOfCode } from "./problem-messages";

const answer = (status: number, headers = {}) => new Response(null, { status, headers });

describe("toApiError", () => {
  it("takes code, detail, fields and the time to wait from a problem", () => {
    const body = { code: "rate_limited", detail: "slow down", request_id: "r1", errors: [{ pointer: "/name", detail: "too long" }] };
    const error = toApiError(answer(429, { "Retry-After": "7" }), body);
    expect(error).toMatchObject({ status: 429, code: "rate_limited", requestId: "r1", retryAfterSeconds: 7 });
    expect(detailOf(error)).toBe("slow down\n/name: too long");
  });

  it.each([
    [404, "not_found"],
    [502, "unavailable"],
    [500, "internal"],
  ])("names an answer %d that is not a problem %s", (status, code) => {
    expect(toApiError(answer(status), "<html>proxy</html>").code).toBe(code);
  });
});

describe("sentences", () => {
  it("has a next step for every code of the contract", () => {
    const codes = ["invalid_credentials", "rate_limited", "not_found", "host_not_allowed", "source_not_found", "authentication_failed", "scheme_not_allowed", "source_unavailable", "invalid_pattern", "file_not_indexed"];
    const unknown = sentenceOfCode("never heard of it");
    for (const code of codes) expect(sentenceOfCode(code)).not.toEqual(unknown);
  });

  it("says that an unknown problem with status 422 is about the request", () => {
    expect(sentenceOf(new ApiError(422, "whatever", null)).title.message).toContain("not valid");
  });

  it("knows a server that cannot be reached", async () => {
    const failed = unwrap(Promise.reject(new TypeError("Failed to fetch")));
    await expect(failed).rejects.toMatchObject({ code: "unreachable" });
    expect(sentenceOf(networkError(null)).title.message).toContain("cannot be reached");
  });
});

describe("mayRetry", () => {
  it("retries what may pass, and only a few times", () => {
    const away = new ApiError(503, "unavailable", null);
    expect([mayRetry(0, away), mayRetry(2, away), mayRetry(0, new ApiError(404, "not_found", null))]).toEqual([true, false, false]);
  });
});
