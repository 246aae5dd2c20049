import { Trans, useLingui } from "@lingui/react/macro";
import { Button, Group, Modal, Stack, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useDisclosure } from "@mantine/hooks";
import { IconPlus } from "@tabler/icons-react";
import { NewPasswordInput } from "@/account/NewPasswordInput";
import type { NewAccount } from "@/api/types";
import { ProblemAlert } from "@/components/ProblemAlert";
import { useCreateUser } from "./queries";

export function NewUserButton() {
  const { t } = useLingui();
  const [opened, { open, close }] = useDisclosure();
  return (
    <>
      <Button leftSection={<IconPlus size={16} />} onClick={open}><Trans>New account</Trans></Button>
      <Modal opened={opened} onClose={close} title={t`New account`} closeButtonProps={{ "aria-label": t`Close` }}>
        <NewUserForm onClose={close} />
      </Modal>
    </>
  );
}

function NewUserForm({ onClose }: { onClose: () => void }) {
  const { t } = useLingui();
  const create = useCreateUser();
  const form = useForm<NewAccount>({
    initialValues: { name: "", email: "", password: "" },
    validate: {
      name: (value) => (value.trim() ? null : t`Enter a name`),
      email: (value) => (value.includes("@") ? null : t`Enter an e-mail address`),
      password: (value) => (value ? null : t`Enter a new password`),
    },
  });
  const submit = form.onSubmit(({ name, email, password }) =>
    create.mutate({ name: name.trim(), email: email.trim(), password }, { onSuccess: onClose }),
  );
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        {create.isError && <ProblemAlert error={create.error} />}
        <TextInput label={t`Name`} autoComplete="off" data-autofocus {...form.getInputProps("name")} />
        <TextInput label={t`E-mail`} type="email" autoComplete="off" {...form.getInputProps("email")} />
        <NewPasswordInput
          label={t`First password`}
          value={form.values.password}
          error={form.errors.password as string | undefined}
          known={[form.values.name, form.values.email]}
          onChange={(value) => form.setFieldValue("password", value)}
        />
        <Group justify="flex-end" gap={8}>
          <Button variant="default" onClick={onClose}><Trans>Cancel</Trans></Button>
          <Button type="submit" loading={create.isPending}><Trans>Create account</Trans></Button>
        </Group>
      </Stack>
    </form>
  );
}
