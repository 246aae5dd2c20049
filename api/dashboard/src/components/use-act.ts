// A change on the server, after which the named queries are fetched anew.
import { type QueryKey, useMutation, useQueryClient } from "@tanstack/react-query";

export function useAct<Variables = void, Answer = unknown>(act: (variables: Variables) => Promise<Answer>, ...stale: QueryKey[]) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: act,
    onSuccess: () => Promise.all(stale.map((queryKey) => queryClient.invalidateQueries({ queryKey }))),
  });
}
