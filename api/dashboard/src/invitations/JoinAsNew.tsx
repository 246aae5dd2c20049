import { Trans, useLingui } from "@lingui/react/macro";
import { Button, Stack, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { NewPasswordInput } from "@/account/NewPasswordInput";
import type { NewAccount, OfferResponse } from "@/api/types";
import { useLogin } from "@/auth/queries";
import { ProblemAlert } from "@/components/ProblemAlert";
import { rememberJoinedOrganization } from "@/organizations/last-organization";
import { useAcceptInvitation } from "./queries";

interface Props {
  token: string;
  offer: OfferResponse;
  onJoined: () => void;
}

/** Makes an account, joins with it and signs in. */
export function JoinAsNew({ token, offer, onJoined }: Props) {
  const { t } = useLingui();
  const accept = useAcceptInvitation();
  const login = useLogin();
  const form = useForm<NewAccount>({
    initialValues: { name: "", email: "", password: "" },
    validate: {
      name: (value) => (value.trim() ? null : t`Enter your name`),
      email: (value) => (value.includes("@") ? null : t`Enter your e-mail address`),
      password: (value) => (value ? null : t`Enter a new password`),
    },
  });
  const submit = form.onSubmit(({ name, email, password }) => {
    const account = { name: name.trim(), email: email.trim(), password };
    accept.mutate(
      { token, account },
      {
        onSuccess: () => {
          rememberJoinedOrganization(offer.organization_id);
          login.mutate({ email: account.email, password }, { onSettled: onJoined });
        },
      },
    );
  });
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        {accept.isError && <ProblemAlert error={accept.error} />}
        <TextInput label={t`Name`} name="name" autoComplete="name" {...form.getInputProps("name")} />
        <TextInput label={t`E-mail`} type="email" name="email" autoComplete="username" {...form.getInputProps("email")} />
        <NewPasswordInput
          label={t`New password`}
          value={form.values.password}
          error={form.errors.password as string | undefined}
          known={[form.values.name, form.values.email]}
          onChange={(value) => form.setFieldValue("password", value)}
        />
        <Button type="submit" size="sm" loading={accept.isPending || login.isPending}>
          <Trans>Create account and join</Trans>
        </Button>
      </Stack>
    </form>
  );
}
