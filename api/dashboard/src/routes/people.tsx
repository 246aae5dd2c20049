import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { peopleSearch } from "@/members/address";
import { organizationRoute } from "./organization";

export const peopleRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/people",
  validateSearch: peopleSearch,
  component: lazyRouteComponent(() => import("@/members/PeoplePage"), "PeoplePage"),
});

export const teamRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/teams/$teamId",
  component: lazyRouteComponent(() => import("@/teams/TeamPage"), "TeamPage"),
});
