import { queryOptions } from "@tanstack/react-query";
import { api, everyPage, unwrap } from "@/api/client";
import type { ChangeUserRequest, NewAccount } from "@/api/types";
import { useAct } from "@/components/use-act";

export const usersQuery = queryOptions({
  queryKey: ["users"],
  queryFn: () => everyPage((cursor) => unwrap(api.GET("/api/v1/users", { params: { query: { cursor, limit: 200 } } }))),
});

export function useCreateUser() {
  return useAct((body: NewAccount) => unwrap(api.POST("/api/v1/users", { body })), ["users"]);
}

export function useChangeUser(user_id: string) {
  return useAct(
    (body: ChangeUserRequest) => unwrap(api.PATCH("/api/v1/users/{user_id}", { params: { path: { user_id } }, body })),
    ["users"],
    ["me"],
  );
}

export function useSetActive(user_id: string) {
  return useAct(
    (active: boolean) =>
      active
        ? unwrap(api.POST("/api/v1/users/{user_id}/reactivate", { params: { path: { user_id } } }))
        : unwrap(api.POST("/api/v1/users/{user_id}/deactivate", { params: { path: { user_id } } })),
    ["users"],
    ["members"],
  );
}

export function useDeleteUser(user_id: string) {
  return useAct(
    () => unwrap(api.DELETE("/api/v1/users/{user_id}", { params: { path: { user_id } } })),
    ["users"],
    ["members"],
  );
}

export function useCreatePasswordReset(user_id: string) {
  return useAct(() => unwrap(api.POST("/api/v1/users/{user_id}/password-resets", { params: { path: { user_id } } })));
}

export function useRemoveTotp(user_id: string) {
  return useAct(() => unwrap(api.DELETE("/api/v1/users/{user_id}/totp", { params: { path: { user_id } } })), ["totp"]);
}
