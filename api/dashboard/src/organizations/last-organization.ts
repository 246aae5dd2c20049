// Where the last visit ended, so that `/` and pages outside an organization know which one to show.
import type { OrganizationResponse } from "@/api/types";

const KEY = "quarry-organization";

export function rememberOrganization(slug: string) {
  localStorage.setItem(KEY, slug);
}

export function lastOrganization(organizations: OrganizationResponse[]): OrganizationResponse | undefined {
  const slug = localStorage.getItem(KEY);
  return organizations.find((organization) => organization.slug === slug) ?? organizations[0];
}
