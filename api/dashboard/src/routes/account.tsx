import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { accountSearch } from "@/account/address";
import { usersSearch } from "@/users/address";
import { shellRoute } from "./shell";

export const accountRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/account",
  validateSearch: accountSearch,
  component: lazyRouteComponent(() => import("@/account/AccountPage"), "AccountPage"),
});

export const usersRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/users",
  validateSearch: usersSearch,
  component: lazyRouteComponent(() => import("@/users/UsersPage"), "UsersPage"),
});
