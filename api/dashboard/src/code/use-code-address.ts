// The repository, version, file and lines of the address, and moving between them.
import { getRouteApi } from "@tanstack/react-router";
import { useCallback } from "react";
import { type CodeSearch, parseLines } from "./address";
import type { Revision } from "./queries";

const route = getRouteApi("/shell/o/$organization/code/$repositoryId");

export function useCodeAddress() {
  const { repositoryId } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const go = useCallback(
    (change: CodeSearch, replace = false) =>
      void navigate({ search: (previous) => ({ ...previous, ...change }), replace, resetScroll: false }),
    [navigate],
  );
  return { repositoryId, path: search.path ?? "", lines: parseLines(search.lines), search, revision: revisionOf(search), go };
}

/** A snapshot or a commit says it all; the branch then only says where it was found. */
export function revisionOf({ snapshot, commit, branch }: CodeSearch): Revision {
  if (snapshot !== undefined) return { snapshot_id: snapshot };
  if (commit !== undefined) return { commit };
  return branch === undefined ? {} : { branch };
}
