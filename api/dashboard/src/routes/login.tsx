import { createRoute } from "@tanstack/react-router";
import { loginSearch } from "@/auth/address";
import { LoginPage } from "@/auth/LoginPage";
import { rootRoute } from "./root";

export const loginRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/login",
  validateSearch: loginSearch,
  component: LoginPage,
});
