// The client: generated types, bearer token, problems as exceptions.
import createClient from "openapi-fetch";
import { ApiError, networkError, toApiError } from "./problem";
import type { paths } from "./schema";
import { session } from "./session";

const PUBLIC_PATHS = [
  "/api/v1/auth/login",
  "/api/v1/auth/login/totp",
  "/api/v1/auth/methods",
  "/api/v1/auth/password-resets/redeem",
  "/api/v1/auth/refresh",
  "/api/v1/invitations/lookup",
];

export const api = createClient<paths>({
  baseUrl: globalThis.location?.origin ?? "",
  fetch: (request) => {
    const isPublic = PUBLIC_PATHS.includes(new URL(request.url).pathname);
    return isPublic ? globalThis.fetch(request) : session.authorizedFetch(request);
  },
});

interface Answer<T> {
  data?: T;
  error?: unknown;
  response: Response;
}

/** The body of an answer; throws an `ApiError` for a problem and for a server that cannot be reached. */
export async function unwrap<T>(call: Promise<Answer<T>>): Promise<NonNullable<T>> {
  const answer = await call.catch((cause: unknown) => {
    if (cause instanceof ApiError || (cause instanceof DOMException && cause.name === "AbortError")) throw cause;
    throw networkError(cause);
  });
  if (!answer.response.ok) throw toApiError(answer.response, answer.error);
  return answer.data as NonNullable<T>;
}

interface Page<T> {
  items: T[];
  next_cursor?: string | null;
}

const MOST_PAGES = 20;

/** Follows the cursors of a list that is shown whole; `MOST_PAGES` keeps a runaway list from filling the browser. */
export async function everyPage<T>(load: (cursor: string | undefined) => Promise<Page<T>>): Promise<T[]> {
  const items: T[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const answer = await load(cursor);
    items.push(...answer.items);
    cursor = answer.next_cursor ?? undefined;
    if (!cursor) break;
  }
  return items;
}
