import { describe, expect, it, vi } from "vitest";
import { type Fetch, Session } from "./session";

const user = { id: "1", email: "ada@example.com", name: "Ada", is_instance_administrator: false };
const token = (access_token: string) => Response.json({ access_token, token_type: "Bearer", expires_in: 900, user });
const isRefresh = (input: RequestInfo | URL) => input === "/api/v1/auth/refresh";
const bearer = (input: RequestInfo | URL) => (input as Request).headers.get("Authorization");
const request = () => new Request("http://quarry.test/api/v1/status");

/** A server that accepts `valid` and hands out `next` on refresh. */
function serverWith({ valid, next }: { valid: () => string; next: () => Response }) {
  return vi.fn<Fetch>(async (input) => {
    if (isRefresh(input)) return next();
    return new Response(null, { status: bearer(input) === `Bearer ${valid()}` ? 200 : 401 });
  });
}

describe("authorizedFetch", () => {
  it("refreshes once for requests that fail together", async () => {
    const fetch = serverWith({ valid: () => "new", next: () => token("new") });
    const session = new Session(fetch);
    session.open({ access_token: "old", token_type: "Bearer", expires_in: 900, user });
    const answers = await Promise.all([1, 2, 3].map(() => session.authorizedFetch(request())));
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200]);
    expect(fetch.mock.calls.filter(([input]) => isRefresh(input))).toHaveLength(1);
  });

  it("does not refresh again when another request has just done so", async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    const fetch = vi.fn<Fetch>(async (input) => {
      if (isRefresh(input)) return token("new");
      const used = bearer(input);
      if ((input as Request).url.endsWith("slow") && used === "Bearer old") await held;
      return new Response(null, { status: used === "Bearer new" ? 200 : 401 });
    });
    const session = new Session(fetch);
    session.open({ access_token: "old", token_type: "Bearer", expires_in: 900, user });
    const slow = session.authorizedFetch(new Request("http://quarry.test/slow"));
    await session.authorizedFetch(request());
    release();
    expect((await slow).status).toBe(200);
    expect(fetch.mock.calls.filter(([input]) => isRefresh(input))).toHaveLength(1);
  });

  it("sends the body again with the second attempt", async () => {
    const bodies: string[] = [];
    const fetch = vi.fn<Fetch>(async (input) => {
      if (isRefresh(input)) return token("new");
      bodies.push(await (input as Request).text());
      return new Response(null, { status: bearer(input) === "Bearer new" ? 200 : 401 });
    });
    const session = new Session(fetch);
    await session.authorizedFetch(new Request("http://quarry.test/x", { method: "POST", body: "hello" }));
    expect(bodies).toEqual(["hello", "hello"]);
  });

  it("closes the session when the cookie is refused too", async () => {
    const session = new Session(serverWith({ valid: () => "never", next: () => new Response(null, { status: 401 }) }));
    const closed = vi.fn();
    session.onClose(closed);
    expect((await session.authorizedFetch(request())).status).toBe(401);
    expect(closed).toHaveBeenCalledOnce();
    expect(session.accessToken).toBeNull();
  });

  it("tries again with the cookie after a refresh that failed", async () => {
    const answers = [new Response(null, { status: 503 }), token("new")];
    const session = new Session(serverWith({ valid: () => "new", next: () => answers.shift() ?? token("x") }));
    expect(await session.refresh()).toBe(false);
    expect(await session.refresh()).toBe(true);
  });
});
