import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api, unwrap } from "@/api/client";

export function useCreateOrganization() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (name: string) => unwrap(api.POST("/api/v1/organizations", { body: { name } })),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ["me"] }),
  });
}
