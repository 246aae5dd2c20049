// The route tree and the router. Each route file says its address and its page, and nothing else.
import { createRouter } from "@tanstack/react-router";
import { session } from "@/api/session";
import { ErrorPage } from "@/components/ErrorPage";
import { NotFound } from "@/components/NotFound";
import { accountRoute, usersRoute } from "@/routes/account";
import { auditRoute, settingsRoute, tokensRoute } from "@/routes/administration";
import { apiDocsRoute } from "@/routes/api-docs";
import { codeIndexRoute, codeRoute } from "@/routes/code";
import { joinRoute, resetPasswordRoute } from "@/routes/join";
import { loginRoute } from "@/routes/login";
import { organizationRoute } from "@/routes/organization";
import { peopleRoute, teamRoute } from "@/routes/people";
import { projectRoute, projectsRoute } from "@/routes/projects";
import { newRepositoryRoute, repositoriesRoute, repositoryRoute } from "@/routes/repositories";
import { rootRoute } from "@/routes/root";
import { searchRoute } from "@/routes/search";
import { homeRoute, shellRoute } from "@/routes/shell";
import { statusRoute } from "@/routes/status";
import { queryClient } from "./query-client";

const routeTree = rootRoute.addChildren([
  loginRoute,
  joinRoute,
  resetPasswordRoute,
  shellRoute.addChildren([
    homeRoute,
    statusRoute,
    apiDocsRoute,
    accountRoute,
    usersRoute,
    organizationRoute.addChildren([
      searchRoute,
      repositoriesRoute,
      newRepositoryRoute,
      repositoryRoute,
      codeIndexRoute,
      codeRoute,
      projectsRoute,
      projectRoute,
      peopleRoute,
      teamRoute,
      tokensRoute,
      auditRoute,
      settingsRoute,
    ]),
  ]),
]);

export const router = createRouter({
  routeTree,
  context: { queryClient, session },
  defaultPreload: false,
  defaultErrorComponent: ErrorPage,
  defaultNotFoundComponent: NotFound,
  scrollRestoration: true,
});

session.onClose(() => {
  queryClient.clear();
  void router.navigate({ to: "/login", search: { redirect: router.state.location.href } });
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
