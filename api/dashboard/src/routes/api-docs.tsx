import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { apiDocsSearch } from "@/api-docs/address";
import { shellRoute } from "./shell";

export const apiDocsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/api/docs",
  validateSearch: apiDocsSearch,
  component: lazyRouteComponent(() => import("@/api-docs/ApiDocsPage"), "ApiDocsPage"),
});
