// Something new, or something renamed, that needs nothing but a name.
import { Trans, useLingui } from "@lingui/react/macro";
import { Button, Group, Modal, Stack, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { ProblemAlert } from "./ProblemAlert";

interface Props {
  opened: boolean;
  onClose: () => void;
  title: string;
  description?: string;
  action: string;
  initial?: string;
  error: unknown;
  pending: boolean;
  onSubmit: (name: string) => void;
}

export function NameModal({ opened, onClose, title, ...form }: Props) {
  const { t } = useLingui();
  return (
    <Modal opened={opened} onClose={onClose} title={title} closeButtonProps={{ "aria-label": t`Close` }}>
      <NameForm onClose={onClose} {...form} />
    </Modal>
  );
}

function NameForm({ onClose, description, action, initial = "", error, pending, onSubmit }: Omit<Props, "opened" | "title">) {
  const { t } = useLingui();
  const form = useForm({
    initialValues: { name: initial },
    validate: { name: (value) => (value.trim() ? null : t`Enter a name`) },
  });
  return (
    <form onSubmit={form.onSubmit(({ name }) => onSubmit(name.trim()))}>
      <Stack>
        {error != null && <ProblemAlert error={error} />}
        <TextInput label={t`Name`} description={description} maxLength={100} autoComplete="off" data-autofocus {...form.getInputProps("name")} />
        <Group justify="flex-end" gap={8}>
          <Button variant="default" onClick={onClose}><Trans>Cancel</Trans></Button>
          <Button type="submit" loading={pending}>{action}</Button>
        </Group>
      </Stack>
    </form>
  );
}
