// What a query answers: rows on their way, a problem with retry, or the content.
import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { ListSkeleton } from "./ListSkeleton";
import { ProblemAlert } from "./ProblemAlert";

interface Props<T> {
  query: Pick<UseQueryResult<T>, "data" | "error" | "isError" | "refetch">;
  rows?: number;
  children: (data: T) => ReactNode;
}

export function Loaded<T>({ query, rows = 6, children }: Props<T>) {
  if (query.data !== undefined) return <>{children(query.data)}</>;
  if (query.isError) return <ProblemAlert error={query.error} onRetry={() => void query.refetch()} />;
  return <ListSkeleton rows={rows} />;
}
