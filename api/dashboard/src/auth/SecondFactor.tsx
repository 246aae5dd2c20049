import { Trans, useLingui } from "@lingui/react/macro";
import { Button, Stack, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { ProblemAlert } from "@/components/ProblemAlert";
import { useLoginWithCode } from "./queries";

interface Props {
  challenge: string;
  onDone: () => void;
  onRestart: () => void;
}

export function SecondFactor({ challenge, onDone, onRestart }: Props) {
  const { t } = useLingui();
  const login = useLoginWithCode();
  const form = useForm({
    initialValues: { code: "" },
    validate: { code: (value) => (value.trim() ? null : t`Enter the code`) },
  });
  const submit = form.onSubmit(({ code }) => login.mutate({ challenge, code: code.trim() }, { onSuccess: onDone }));
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        {login.isError && <ProblemAlert error={login.error} />}
        <TextInput
          label={t`Code`}
          description={t`Six digits that your authenticator shows, or one of your recovery codes.`}
          autoComplete="one-time-code"
          spellCheck={false}
          autoFocus // eslint-disable-line jsx-a11y/no-autofocus -- the next step of a form that was just sent
          ff="monospace"
          {...form.getInputProps("code")}
        />
        <Button type="submit" size="sm" fullWidth loading={login.isPending}><Trans>Sign in</Trans></Button>
        <Button variant="subtle" size="sm" onClick={onRestart}><Trans>Start again</Trans></Button>
      </Stack>
    </form>
  );
}
