// What the form holds, and how it becomes a request.
import type { IdentityProviderRequest, IdentityProviderResponse } from "@/api/types";

export type Mapping = NonNullable<IdentityProviderRequest["groups"]>[number];

export interface Values {
  name: string;
  issuer: string;
  clientId: string;
  clientSecret: string;
  domains: string[];
  addsMembers: boolean;
  trustsEmail: boolean;
  groupClaim: string;
  groups: Mapping[];
}

export function toValues(provider?: IdentityProviderResponse): Values {
  return {
    name: provider?.name ?? "",
    issuer: provider?.issuer ?? "",
    clientId: provider?.client_id ?? "",
    clientSecret: "",
    domains: provider?.email_domains ?? [],
    addsMembers: provider?.adds_members ?? false,
    trustsEmail: provider?.trusts_email ?? false,
    groupClaim: provider?.group_claim ?? "",
    groups: provider?.groups ?? [],
  };
}

/** An empty secret is left out, which keeps the one that is set; mappings without a group or an effect mean nothing. */
export function toRequest(values: Values): IdentityProviderRequest {
  const groupClaim = values.groupClaim.trim();
  const groups = values.groups
    .map((mapping) => ({ ...mapping, group: mapping.group.trim() }))
    .filter(({ group, role, team_id }) => group && (role || team_id));
  return {
    name: values.name.trim(),
    issuer: values.issuer.trim(),
    client_id: values.clientId.trim(),
    ...(values.clientSecret ? { client_secret: values.clientSecret } : {}),
    email_domains: values.domains.map((domain) => domain.trim().toLowerCase().replace(/^@/, "")),
    adds_members: values.addsMembers,
    trusts_email: values.trustsEmail,
    group_claim: groupClaim || null,
    groups: groupClaim ? groups : [],
  };
}

/** `http` is for providers on the same machine, in trials. */
export function isSecureUrl(text: string) {
  if (!URL.canParse(text.trim())) return false;
  const { protocol, hostname } = new URL(text.trim());
  return protocol === "https:" || (protocol === "http:" && ["127.0.0.1", "localhost", "[::1]"].includes(hostname));
}
