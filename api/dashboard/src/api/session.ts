// The access token, in memory only. The refresh token is a cookie that scripts cannot read.
import type { TokenResponse, UserResponse } from "./types";

export type Fetch = (input: RequestInfo | URL, init?: RequestInit) => Promise<Response>;

export class Session {
  private token: string | null = null;
  private refreshing: Promise<boolean> | null = null;
  private listeners = new Set<() => void>();
  user: UserResponse | null = null;

  constructor(private readonly fetch: Fetch = (input, init) => globalThis.fetch(input, init)) {}

  get accessToken() {
    return this.token;
  }

  open(response: TokenResponse) {
    this.token = response.access_token;
    this.user = response.user;
  }

  /** Forgets the token and tells the listeners, so that the sign-in page can be shown. */
  close() {
    this.token = null;
    this.user = null;
    for (const listener of this.listeners) listener();
  }

  onClose(listener: () => void) {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  /**
   * Trades the refresh cookie for an access token. The cookie is rotated by each call, so callers that arrive together
   * share one request: a second one would present a token that was just replaced.
   */
  refresh(): Promise<boolean> {
    this.refreshing ??= this.requestToken().finally(() => {
      this.refreshing = null;
    });
    return this.refreshing;
  }

  private async requestToken(): Promise<boolean> {
    const response = await this.fetch("/api/v1/auth/refresh", { method: "POST", credentials: "same-origin" });
    if (!response.ok) return false;
    this.open((await response.json()) as TokenResponse);
    return true;
  }

  /** Sends a request with the access token, and once more with a new one when the server answers 401. */
  async authorizedFetch(request: Request): Promise<Response> {
    const retry = request.clone();
    const used = this.token;
    const response = await this.send(request);
    if (response.status !== 401) return response;
    const renewed = this.token !== used || (await this.refresh());
    if (renewed) return this.send(retry);
    this.close();
    return response;
  }

  private send(request: Request) {
    if (this.token) request.headers.set("Authorization", `Bearer ${this.token}`);
    return this.fetch(request);
  }
}

export const session = new Session();
