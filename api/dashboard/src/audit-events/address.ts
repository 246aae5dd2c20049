// What the address of the audit log holds: its filters.
export const AREAS = [
  "access.", "audit.", "identity_provider.", "index_run.", "invitation.", "job.", "member.", "organization.", "password.",
  "password_reset.", "project.", "recovery_codes.", "repository.", "service_account.", "session.", "sign_in.", "team.",
  "token.", "totp.", "user.",
] as const;
export const OUTCOMES = ["succeeded", "denied", "failed"] as const;

export interface AuditSearch {
  action?: string;
  actor?: string;
  outcome?: (typeof OUTCOMES)[number];
  /** Days, as `2026-01-31`, in the reader's time zone. */
  since?: string;
  until?: string;
  object?: string;
}

export function auditSearch(search: Record<string, unknown>): AuditSearch {
  return {
    action: matching(search.action, /^[a-z_]+\.[a-z_]*$/),
    actor: matching(search.actor, /^[0-9a-f-]{36}$/),
    outcome: OUTCOMES.find((outcome) => outcome === search.outcome),
    since: day(search.since),
    until: day(search.until),
    object: matching(search.object, /^[\w.:-]{1,100}$/),
  };
}

export interface AuditFilter {
  action?: string;
  actor_user_id?: string;
  outcome?: string;
  since?: string;
  until?: string;
  object_id?: string;
}

/** The filter as the server takes it; the last day is meant whole. */
export function auditFilter({ action, actor, outcome, since, until, object }: AuditSearch): AuditFilter {
  return {
    action,
    actor_user_id: actor,
    outcome,
    object_id: object,
    since: since && startOf(since).toISOString(),
    until: until && startOf(until, 1).toISOString(),
  };
}

function startOf(text: string, daysLater = 0) {
  const [year = 0, month = 1, date = 1] = text.split("-").map(Number);
  return new Date(year, month - 1, date + daysLater);
}

function day(value: unknown) {
  const text = matching(value, /^\d{4}-\d{2}-\d{2}$/);
  return text && !Number.isNaN(startOf(text).getTime()) && !Number.isNaN(Date.parse(text)) ? text : undefined;
}

function matching(value: unknown, pattern: RegExp) {
  return typeof value === "string" && pattern.test(value) ? value : undefined;
}
