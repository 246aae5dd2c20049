import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { searchSearch } from "@/search/address";
import { organizationRoute } from "./organization";

export const searchRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/search",
  validateSearch: searchSearch,
  component: lazyRouteComponent(() => import("@/search/SearchPage"), "SearchPage"),
});
