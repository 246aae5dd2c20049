// Turns a problem's code into a sentence and the next step to take.
import type { MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";
import { ApiError } from "./problem";

export interface ProblemSentence {
  title: MessageDescriptor;
  next: MessageDescriptor;
}

const SENTENCES: Record<string, ProblemSentence> = {
  unreachable: {
    title: msg`The server cannot be reached.`,
    next: msg`Check your connection; this page tries again when you press retry.`,
  },
  invalid_credentials: {
    title: msg`The e-mail or the password is not right.`,
    next: msg`Check both and try again, or ask an administrator to reset the password.`,
  },
  invalid_refresh_token: { title: msg`Your session has ended.`, next: msg`Sign in again.` },
  unauthenticated: { title: msg`Your session has ended.`, next: msg`Sign in again.` },
  forbidden: {
    title: msg`Your role does not allow this.`,
    next: msg`Ask an owner or an administrator of the organization.`,
  },
  not_found: {
    title: msg`There is nothing here, or you cannot see it.`,
    next: msg`Check the address, or ask for access to the project.`,
  },
  conflict: { title: msg`This already exists or has changed.`, next: msg`Reload and try again.` },
  last_owner: {
    title: msg`The organization needs another owner first.`,
    next: msg`Make somebody else an owner, then try again.`,
  },
  last_administrator: {
    title: msg`The server needs another administrator first.`,
    next: msg`Make somebody else an administrator of the server, then try again.`,
  },
  already_member: {
    title: msg`This account belongs to the organization already.`,
    next: msg`Open the dashboard; the invitation stays good for somebody else.`,
  },
  email_taken: {
    title: msg`An account with this e-mail address exists.`,
    next: msg`Sign in with it, or use another address.`,
  },
  weak_password: {
    title: msg`The password is too easy to guess.`,
    next: msg`Use a longer one; four words that do not belong together are strong and easy to keep.`,
  },
  wrong_password: { title: msg`The password is not right.`, next: msg`Type your present password and try again.` },
  wrong_code: {
    title: msg`The code is not right.`,
    next: msg`Wait for the next code of your authenticator; each works one time and for a short while.`,
  },
  invalid_challenge: { title: msg`The sign-in took too long.`, next: msg`Start again with your password.` },
  email_not_allowed: {
    title: msg`This address is not of the organization's domains.`,
    next: msg`Sign in with another account of the identity provider, or with a password.`,
  },
  email_not_verified: {
    title: msg`The identity provider has not verified your e-mail address.`,
    next: msg`Verify it there, then sign in again.`,
  },
  not_a_member: {
    title: msg`You are not a member of the organization.`,
    next: msg`Ask an administrator of the organization for an invitation.`,
  },
  identity_provider_failed: {
    title: msg`The identity provider did not answer as it should.`,
    next: msg`Try again in a moment; if it happens again, tell an owner of the organization.`,
  },
  sign_in_declined: { title: msg`The sign-in was broken off at the identity provider.`, next: msg`Start again.` },
  sign_in_not_under_way: { title: msg`The sign-in took too long, or began in another browser.`, next: msg`Start again.` },
  totp_enabled: { title: msg`An authenticator is set up already.`, next: msg`Switch it off before you set up another one.` },
  totp_not_enabled: { title: msg`No authenticator is set up.`, next: msg`Reload the page.` },
  nothing_to_confirm: { title: msg`The set-up has ended.`, next: msg`Start it again.` },
  invalid_password_reset: {
    title: msg`This link cannot be used.`,
    next: msg`It was used or has ended. Ask an administrator for a new one.`,
  },
  sign_in_busy: { title: msg`Many people are signing in right now.`, next: msg`Try again in a moment.` },
  project_not_empty: {
    title: msg`The project has repositories.`,
    next: msg`Reload, and confirm that they are deleted with it.`,
  },
  organization_not_empty: {
    title: msg`The organization still holds something.`,
    next: msg`Confirm that it is deleted too.`,
  },
  database_unavailable: { title: msg`The server is not ready.`, next: msg`Try again in a moment; the status page says more.` },
  rate_limited: { title: msg`Too many requests.`, next: msg`Wait a moment and try again.` },
  timeout: { title: msg`The server took too long.`, next: msg`Narrow the request or try again.` },
  unavailable: { title: msg`The server is not ready.`, next: msg`Try again in a moment; the status page says more.` },
  internal: {
    title: msg`The server failed.`,
    next: msg`Try again; if it happens again, give the request id to whoever runs this server.`,
  },
  host_not_allowed: {
    title: msg`This server may not fetch from that host.`,
    next: msg`An administrator can allow the host in the server's configuration.`,
  },
  scheme_not_allowed: {
    title: msg`This kind of address is not allowed.`,
    next: msg`Use an https address, or a path that the server allows.`,
  },
  source_not_found: {
    title: msg`No repository was found there.`,
    next: msg`Check the address; a private repository also needs credentials.`,
  },
  authentication_failed: {
    title: msg`The source refused the credentials.`,
    next: msg`Check the user name and the token, and that the token may read the repository.`,
  },
  source_unavailable: {
    title: msg`The source does not answer.`,
    next: msg`Try again in a moment; the host may be down.`,
  },
  invalid_pattern: {
    title: msg`The regular expression cannot be read.`,
    next: msg`Correct the pattern, or switch regular expressions off.`,
  },
  file_not_indexed: {
    title: msg`This file is in the commit but was not indexed.`,
    next: msg`The ledger of the snapshot says why.`,
  },
};

const UNKNOWN: ProblemSentence = {
  title: msg`This did not work.`,
  next: msg`Try again; the details below say what the server answered.`,
};

const INVALID: ProblemSentence = {
  title: msg`Something in the request is not valid.`,
  next: msg`Correct it and try again.`,
};

export function sentenceOfCode(code: string, status?: number): ProblemSentence {
  const known = SENTENCES[code];
  if (known) return known;
  return status === 422 || status === 400 ? INVALID : UNKNOWN;
}

export function sentenceOf(error: unknown): ProblemSentence {
  return error instanceof ApiError ? sentenceOfCode(error.code, error.status) : UNKNOWN;
}

/** The part that only this problem says: the server's detail and the fields that it names. */
export function detailOf(error: unknown): string | null {
  if (!(error instanceof ApiError)) return error instanceof Error ? error.message : null;
  const fields = error.fields.map((field) => `${field.pointer}: ${field.detail}`);
  return [error.detail, ...fields].filter(Boolean).join("\n") || null;
}
