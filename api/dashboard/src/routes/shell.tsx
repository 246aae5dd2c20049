import { createRoute } from "@tanstack/react-router";
import { requireSession } from "@/auth/guard";
import { HomePage } from "@/organizations/HomePage";
import { Shell } from "@/shell/Shell";
import { rootRoute } from "./root";

export const shellRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: "shell",
  beforeLoad: ({ context, location }) => requireSession(context, location.href),
  component: Shell,
});

export const homeRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/",
  component: HomePage,
});
