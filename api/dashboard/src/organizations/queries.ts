import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api, unwrap } from "@/api/client";
import { useAct } from "@/components/use-act";

export function useCreateOrganization() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (name: string) => unwrap(api.POST("/api/v1/organizations", { body: { name } })),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ["me"] }),
  });
}

export function useRenameOrganization(organization_id: string) {
  return useAct(
    (name: string) =>
      unwrap(api.PATCH("/api/v1/organizations/{organization_id}", { params: { path: { organization_id } }, body: { name } })),
    ["me"],
  );
}

export function useDeleteOrganization(organization_id: string) {
  return useMutation({
    mutationFn: (with_contents: boolean) =>
      unwrap(
        api.DELETE("/api/v1/organizations/{organization_id}", { params: { path: { organization_id }, query: { with_contents } } }),
      ),
  });
}
