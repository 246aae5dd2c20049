import { Trans, useLingui } from "@lingui/react/macro";
import { Button, Group, PasswordInput, Stack, Text } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useQuery } from "@tanstack/react-query";
import type { UserResponse } from "@/api/types";
import { meQuery } from "@/auth/queries";
import { Loaded } from "@/components/Loaded";
import { Panel } from "@/components/Panel";
import { ProblemAlert } from "@/components/ProblemAlert";
import { useNotice } from "@/components/use-notice";
import { NewPasswordInput } from "./NewPasswordInput";
import { useChangePassword } from "./queries";

export function ProfileTab() {
  const query = useQuery(meQuery);
  return (
    <Loaded query={query}>
      {({ user }) => (
        <Stack gap="md" maw={560}>
          <Panel title={<Trans>Profile</Trans>}>
            <Text size="sm" fw={500}>{user.name}</Text>
            <Text size="sm">{user.email}</Text>
            <Text size="xs" c="dimmed" mt={8}>
              {user.is_instance_administrator ? (
                <Trans>You administer this server. Names are changed on the page of its accounts.</Trans>
              ) : (
                <Trans>An administrator of this server changes your name.</Trans>
              )}
            </Text>
          </Panel>
          <Panel title={<Trans>Password</Trans>}>
            <PasswordForm user={user} />
          </Panel>
        </Stack>
      )}
    </Loaded>
  );
}

function PasswordForm({ user }: { user: UserResponse }) {
  const { t } = useLingui();
  const change = useChangePassword();
  const notice = useNotice();
  const form = useForm({
    initialValues: { current: "", next: "" },
    validate: {
      current: (value) => (value ? null : t`Enter your password`),
      next: (value) => (value ? null : t`Enter a new password`),
    },
  });
  const submit = form.onSubmit(({ current, next }) =>
    change.mutate(
      { current_password: current, new_password: next },
      {
        onSuccess: () => {
          form.reset();
          notice.done(t`The password is changed, and your other sign-ins have ended.`);
        },
      },
    ),
  );
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        {change.isError && <ProblemAlert error={change.error} />}
        <PasswordInput
          label={t`Present password`}
          name="current-password"
          autoComplete="current-password"
          visibilityToggleButtonProps={{ "aria-label": t`Show or hide the password` }}
          {...form.getInputProps("current")}
        />
        <NewPasswordInput
          label={t`New password`}
          value={form.values.next}
          error={form.errors.next as string | undefined}
          known={[user.name, user.email]}
          onChange={(value) => form.setFieldValue("next", value)}
        />
        <Text size="xs" c="dimmed"><Trans>Your other sign-ins end with it.</Trans></Text>
        <Group>
          <Button type="submit" loading={change.isPending}><Trans>Change password</Trans></Button>
        </Group>
      </Stack>
    </form>
  );
}
