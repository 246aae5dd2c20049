import { Trans, useLingui } from "@lingui/react/macro";
import { Button, Center, Group, PasswordInput, Stack, Text, TextInput, Title } from "@mantine/core";
import { useForm } from "@mantine/form";
import { getRouteApi, useRouter } from "@tanstack/react-router";
import { ProblemAlert } from "@/components/ProblemAlert";
import { useDocumentTitle } from "@mantine/hooks";
import { Logo } from "@/components/Logo";
import classes from "./LoginPage.module.css";
import { type Credentials, useLogin } from "./queries";

const route = getRouteApi("/login");

export function LoginPage() {
  const { t } = useLingui();
  const { redirect } = route.useSearch();
  const router = useRouter();
  const login = useLogin();
  const form = useForm<Credentials>({
    initialValues: { email: "", password: "" },
    validate: {
      email: (value) => (value.includes("@") ? null : t`Enter your e-mail address`),
      password: (value) => (value ? null : t`Enter your password`),
    },
  });
  useDocumentTitle(t`Sign in · Quarry`);

  const submit = form.onSubmit((credentials) => {
    login.mutate(credentials, { onSuccess: () => router.history.push(redirect ?? "/") });
  });

  return (
    <Center component="main" mih="100vh" p="md">
      <Stack className={classes.panel} gap="lg">
        <Group gap="sm">
          <Logo size={28} />
          <Title order={1}>
            <Trans>Sign in to Quarry</Trans>
          </Title>
        </Group>
        <form onSubmit={submit} noValidate>
          <Stack gap="md">
            {login.isError && <ProblemAlert error={login.error} />}
            <TextInput
              label={t`E-mail`}
              type="email"
              name="email"
              autoComplete="username"
              data-autofocus
              {...form.getInputProps("email")}
            />
            <PasswordInput
              label={t`Password`}
              name="password"
              autoComplete="current-password"
              visibilityToggleButtonProps={{ "aria-label": t`Show or hide the password` }}
              {...form.getInputProps("password")}
            />
            <Button type="submit" size="sm" fullWidth loading={login.isPending}>
              <Trans>Sign in</Trans>
            </Button>
          </Stack>
        </form>
        <Text size="xs" c="dimmed">
          <Trans>Accounts are created by an administrator of this server.</Trans>
        </Text>
      </Stack>
    </Center>
  );
}
