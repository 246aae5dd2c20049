import { Trans, useLingui } from "@lingui/react/macro";
import { Button, PasswordInput, Stack, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { getRouteApi, useRouter } from "@tanstack/react-router";
import { ProblemAlert } from "@/components/ProblemAlert";
import { SummaryAlert } from "@/components/SummaryAlert";
import { useState } from "react";
import { Entrance } from "@/components/Entrance";
import { type Credentials, useLogin } from "./queries";
import { SecondFactor } from "./SecondFactor";
import { SingleSignOn } from "./SingleSignOn";

const route = getRouteApi("/login");

export function LoginPage() {
  const { t } = useLingui();
  const { redirect, problem } = route.useSearch();
  const router = useRouter();
  const login = useLogin();
  const form = useForm<Credentials>({
    initialValues: { email: "", password: "" },
    validate: {
      email: (value) => (value.includes("@") ? null : t`Enter your e-mail address`),
      password: (value) => (value ? null : t`Enter your password`),
    },
  });
  const [challenge, setChallenge] = useState<string | null>(null);
  // A link that brought somebody here carries its secret behind `#`; it goes on with them.
  const goOn = () => router.history.push((redirect ?? "/") + globalThis.location.hash);

  const submit = form.onSubmit((credentials) => {
    login.mutate(credentials, {
      onSuccess: (answer) => ("challenge" in answer ? setChallenge(answer.challenge) : goOn()),
    });
  });

  return (
    <Entrance title={t`Sign in to Quarry`}>
      {challenge ? (
        <SecondFactor challenge={challenge} onDone={goOn} onRestart={() => setChallenge(null)} />
      ) : (
        <form onSubmit={submit} noValidate>
          <Stack gap="md">
            {login.isError && <ProblemAlert error={login.error} />}
            {problem && login.isIdle && <SummaryAlert problem={{ code: problem, message: "" }} />}
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
            <SingleSignOn email={form.values.email} redirect={redirect} />
          </Stack>
        </form>
      )}
      <Text size="xs" c="dimmed">
        <Trans>Accounts are made by an administrator of this server, or with an invitation link.</Trans>
      </Text>
    </Entrance>
  );
}
