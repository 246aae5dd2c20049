import { queryOptions, useMutation } from "@tanstack/react-query";
import { api, everyPage, unwrap } from "@/api/client";
import { useAct } from "@/components/use-act";

export function useRedeemPasswordReset() {
  return useMutation({
    mutationFn: (body: { token: string; new_password: string }) =>
      unwrap(api.POST("/api/v1/auth/password-resets/redeem", { body })),
  });
}

export function useChangePassword() {
  return useAct(
    (body: { current_password: string; new_password: string }) => unwrap(api.POST("/api/v1/auth/password", { body })),
    ["sessions"],
  );
}

export const sessionsQuery = queryOptions({
  queryKey: ["sessions"],
  // The server lists all of them at once.
  queryFn: () => everyPage(() => unwrap(api.GET("/api/v1/auth/sessions"))),
});

export function useEndSession() {
  return useAct(
    (session_id: string) => unwrap(api.DELETE("/api/v1/auth/sessions/{session_id}", { params: { path: { session_id } } })),
    ["sessions"],
  );
}

export function useEndAllSessions() {
  return useMutation({ mutationFn: () => unwrap(api.DELETE("/api/v1/auth/sessions")) });
}

export const totpQuery = queryOptions({
  queryKey: ["totp"],
  queryFn: () => unwrap(api.GET("/api/v1/auth/totp")),
});

export function useBeginTotp() {
  return useMutation({ mutationFn: (password: string) => unwrap(api.POST("/api/v1/auth/totp", { body: { password } })) });
}

export function useConfirmTotp() {
  return useAct((code: string) => unwrap(api.POST("/api/v1/auth/totp/confirm", { body: { code } })), ["totp"]);
}

export function useDisableTotp() {
  return useAct((password: string) => unwrap(api.POST("/api/v1/auth/totp/disable", { body: { password } })), ["totp"]);
}

export function useReplaceRecoveryCodes() {
  return useAct((password: string) => unwrap(api.POST("/api/v1/auth/totp/recovery-codes", { body: { password } })), ["totp"]);
}
