import { Trans, useLingui } from "@lingui/react/macro";
import { Alert, Button, Stack, Text } from "@mantine/core";
import { useForm } from "@mantine/form";
import { IconCircleCheck } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { Entrance } from "@/components/Entrance";
import { ProblemAlert } from "@/components/ProblemAlert";
import { useFragment } from "@/components/use-fragment";
import { NewPasswordInput } from "./NewPasswordInput";
import { useRedeemPasswordReset } from "./queries";

export function ResetPasswordPage() {
  const { t } = useLingui();
  const token = useFragment();
  const redeem = useRedeemPasswordReset();
  const form = useForm({
    initialValues: { password: "" },
    validate: { password: (value) => (value ? null : t`Enter a new password`) },
  });
  const signIn = (
    <Button fullWidth size="sm" renderRoot={(props) => <Link to="/login" {...props} />}>
      <Trans>Sign in</Trans>
    </Button>
  );
  return (
    <Entrance title={t`Set a new password`}>
      {redeem.isSuccess ? (
        <>
          <Alert color="green" icon={<IconCircleCheck size={18} />} role="status">
            <Trans>The password is set, and every sign-in of before has ended.</Trans>
          </Alert>
          {signIn}
        </>
      ) : !token ? (
        <Text size="sm"><Trans>This link is not whole. Open it exactly as you were given it.</Trans></Text>
      ) : (
        <form onSubmit={form.onSubmit(({ password }) => redeem.mutate({ token, new_password: password }))} noValidate>
          <Stack gap="md">
            {redeem.isError && <ProblemAlert error={redeem.error} />}
            <NewPasswordInput
              label={t`New password`}
              value={form.values.password}
              error={form.errors.password as string | undefined}
              known={[]}
              onChange={(value) => form.setFieldValue("password", value)}
            />
            <Button type="submit" size="sm" loading={redeem.isPending}><Trans>Set the password</Trans></Button>
          </Stack>
        </form>
      )}
    </Entrance>
  );
}
