import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { auditSearch } from "@/audit-events/address";
import { settingsSearch } from "@/organizations/address";
import { tokensSearch } from "@/tokens/address";
import { organizationRoute } from "./organization";

export const auditRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/audit",
  validateSearch: auditSearch,
  component: lazyRouteComponent(() => import("@/audit-events/AuditPage"), "AuditPage"),
});

export const tokensRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/tokens",
  validateSearch: tokensSearch,
  component: lazyRouteComponent(() => import("@/tokens/TokensPage"), "TokensPage"),
});

export const settingsRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/settings",
  validateSearch: settingsSearch,
  component: lazyRouteComponent(() => import("@/organizations/SettingsPage"), "SettingsPage"),
});
