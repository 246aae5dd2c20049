// What a page is about: one organization, and one project or all of them.
import { createContext, useContext } from "react";
import type { OrganizationResponse, ProjectResponse } from "@/api/types";

export interface Scope {
  organization: OrganizationResponse;
  projects: ProjectResponse[];
  project: ProjectResponse | null;
}

export const ScopeContext = createContext<Scope | null>(null);

export function useScope(): Scope {
  const scope = useContext(ScopeContext);
  if (!scope) throw new Error("useScope is for pages of an organization");
  return scope;
}
