import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { newRepositorySearch, repositoriesSearch, repositorySearch } from "@/repositories/address";
import { organizationRoute } from "./organization";

export const repositoriesRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/repositories",
  validateSearch: repositoriesSearch,
  component: lazyRouteComponent(() => import("@/repositories/RepositoriesPage"), "RepositoriesPage"),
});

export const newRepositoryRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/repositories/new",
  validateSearch: newRepositorySearch,
  component: lazyRouteComponent(() => import("@/repositories/NewRepositoryPage"), "NewRepositoryPage"),
});

export const repositoryRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/repositories/$repositoryId",
  validateSearch: repositorySearch,
  component: lazyRouteComponent(() => import("@/repositories/RepositoryPage"), "RepositoryPage"),
});
