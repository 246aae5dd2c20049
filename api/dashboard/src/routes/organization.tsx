import { createRoute, retainSearchParams } from "@tanstack/react-router";
import { organizationSearch } from "@/organizations/address";
import { OrganizationPage } from "@/organizations/OrganizationPage";
import { shellRoute } from "./shell";

export const organizationRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/o/$organization",
  validateSearch: organizationSearch,
  search: { middlewares: [retainSearchParams(["project"])] },
  component: OrganizationPage,
});
