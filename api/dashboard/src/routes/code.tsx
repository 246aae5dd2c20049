import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { codeSearch } from "@/code/address";
import { organizationRoute } from "./organization";

export const codeIndexRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/code",
  component: lazyRouteComponent(() => import("@/code/CodeIndexPage"), "CodeIndexPage"),
});

export const codeRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/code/$repositoryId",
  validateSearch: codeSearch,
  component: lazyRouteComponent(() => import("@/code/CodePage"), "CodePage"),
});
