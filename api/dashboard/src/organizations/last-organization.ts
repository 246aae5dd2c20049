// Where the last visit ended, so that `/` and pages outside an organization know which one to show.
import type { OrganizationResponse } from "@/api/types";

const KEY = "quarry-organization";

export function rememberOrganization(slug: string) {
  localStorage.setItem(KEY, slug);
}

/** Invitations name the organization by its id, so that is kept until its short name is known. */
export function rememberJoinedOrganization(id: string) {
  localStorage.setItem(KEY, id);
}

export function lastOrganization(organizations: OrganizationResponse[]): OrganizationResponse | undefined {
  const kept = localStorage.getItem(KEY);
  return organizations.find((organization) => organization.slug === kept || organization.id === kept) ?? organizations[0];
}
