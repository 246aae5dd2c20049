// Problems (RFC 9457) as exceptions. The sentences that people read are in `problem-messages.ts`.
import type { Problem } from "./types";

export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    readonly detail: string | null,
    readonly requestId: string | null = null,
    readonly fields: NonNullable<Problem["errors"]> = [],
    readonly retryAfterSeconds: number | null = null,
  ) {
    super(detail ?? code);
    this.name = "ApiError";
  }
}

export function networkError(cause: unknown) {
  return new ApiError(0, "unreachable", cause instanceof Error ? cause.message : null);
}

export function toApiError(response: Response, body: unknown): ApiError {
  const problem = (isObject(body) ? body : parse(body)) as Partial<Problem>;
  const retryAfter = Number(response.headers.get("Retry-After"));
  return new ApiError(
    response.status,
    problem.code ?? codeOf(response.status),
    problem.detail ?? problem.title ?? null,
    problem.request_id ?? null,
    problem.errors ?? [],
    Number.isFinite(retryAfter) && retryAfter > 0 ? retryAfter : null,
  );
}

function codeOf(status: number) {
  if (status === 401) return "unauthenticated";
  if (status === 403) return "forbidden";
  if (status === 404) return "not_found";
  if (status === 502 || status === 503 || status === 504) return "unavailable";
  return "internal";
}

function parse(body: unknown): Partial<Problem> {
  if (typeof body !== "string") return {};
  try {
    const value: unknown = JSON.parse(body);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
