import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { shellRoute } from "./shell";

export const statusRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/status",
  component: lazyRouteComponent(() => import("@/status/StatusPage"), "StatusPage"),
});
