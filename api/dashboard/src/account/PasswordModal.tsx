// Asks for the password once more before something that guards the account is changed.
import { Trans, useLingui } from "@lingui/react/macro";
import { Button, Group, Modal, PasswordInput, Stack, Text } from "@mantine/core";
import { useForm } from "@mantine/form";
import { ProblemAlert } from "@/components/ProblemAlert";

interface Props {
  opened: boolean;
  onClose: () => void;
  title: string;
  consequence: string;
  action: string;
  error: unknown;
  pending: boolean;
  onSubmit: (password: string) => void;
}

export function PasswordModal({ opened, onClose, title, ...form }: Props) {
  const { t } = useLingui();
  return (
    <Modal opened={opened} onClose={onClose} title={title} closeButtonProps={{ "aria-label": t`Close` }}>
      <PasswordForm onClose={onClose} {...form} />
    </Modal>
  );
}

function PasswordForm({ onClose, consequence, action, error, pending, onSubmit }: Omit<Props, "opened" | "title">) {
  const { t } = useLingui();
  const form = useForm({
    initialValues: { password: "" },
    validate: { password: (value) => (value ? null : t`Enter your password`) },
  });
  return (
    <form onSubmit={form.onSubmit(({ password }) => onSubmit(password))} noValidate>
      <Stack>
        <Text size="sm">{consequence}</Text>
        {error != null && <ProblemAlert error={error} />}
        <PasswordInput
          label={t`Present password`}
          autoComplete="current-password"
          data-autofocus
          visibilityToggleButtonProps={{ "aria-label": t`Show or hide the password` }}
          {...form.getInputProps("password")}
        />
        <Group justify="flex-end" gap={8}>
          <Button variant="default" onClick={onClose}><Trans>Cancel</Trans></Button>
          <Button type="submit" loading={pending}>{action}</Button>
        </Group>
      </Stack>
    </form>
  );
}
