import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { meQuery } from "@/auth/queries";
import { lastOrganization } from "@/organizations/last-organization";

/** The organization of the address, or the last one on pages that belong to none. */
export function useShellOrganization() {
  const { organization: slug } = useParams({ strict: false });
  const { data } = useQuery(meQuery);
  const organizations = data?.organizations ?? [];
  const organization = organizations.find((one) => one.slug === slug) ?? lastOrganization(organizations);
  return { organization, organizations, user: data?.user };
}
