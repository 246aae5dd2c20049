import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { api, unwrap } from "@/api/client";
import { session } from "@/api/session";

export const meQuery = queryOptions({
  queryKey: ["me"],
  queryFn: () => unwrap(api.GET("/api/v1/auth/me")),
  staleTime: 60_000,
});

/** How people with addresses of this domain may sign in. */
export function methodsQuery(email: string) {
  return queryOptions({
    queryKey: ["sign-in-methods", email.split("@").at(-1)],
    queryFn: () => unwrap(api.GET("/api/v1/auth/methods", { params: { query: { email } } })),
    staleTime: 60_000,
    retry: false,
  });
}

export interface Credentials {
  email: string;
  password: string;
}

export function useLogin() {
  return useMutation({
    mutationFn: (body: Credentials) => unwrap(api.POST("/api/v1/auth/login", { body })),
    onSuccess: (response) => {
      if ("access_token" in response) session.open(response);
    },
  });
}

/** The second half of signing in, with a code of the authenticator or a recovery code. */
export function useLoginWithCode() {
  return useMutation({
    mutationFn: (body: { challenge: string; code: string }) => unwrap(api.POST("/api/v1/auth/login/totp", { body })),
    onSuccess: (response) => session.open(response),
  });
}

export function useLogout() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => api.POST("/api/v1/auth/logout"),
    onSettled: () => {
      queryClient.clear();
      session.close();
    },
  });
}
