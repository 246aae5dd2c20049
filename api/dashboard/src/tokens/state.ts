import type { ApiTokenResponse } from "@/api/types";

export function stateOf({ revoked_at, expires_at }: Pick<ApiTokenResponse, "revoked_at" | "expires_at">, now = Date.now()) {
  if (revoked_at) return "revoked";
  return Date.parse(expires_at) <= now ? "expired" : "active";
}
