import { createRootRouteWithContext } from "@tanstack/react-router";
import type { QueryClient } from "@tanstack/react-query";
import type { Session } from "@/api/session";

export interface RouterContext {
  queryClient: QueryClient;
  session: Session;
}

export const rootRoute = createRootRouteWithContext<RouterContext>()();
