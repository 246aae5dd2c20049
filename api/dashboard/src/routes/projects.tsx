import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { organizationRoute } from "./organization";

export const projectsRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/projects",
  component: lazyRouteComponent(() => import("@/projects/ProjectsPage"), "ProjectsPage"),
});

export const projectRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/projects/$projectId",
  component: lazyRouteComponent(() => import("@/projects/ProjectPage"), "ProjectPage"),
});
