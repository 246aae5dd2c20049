import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { shellRoute } from "./shell";

export const apiDocsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/api/docs",
  component: lazyRouteComponent(() => import("@/api-docs/ApiDocsPage"), "ApiDocsPage"),
});
