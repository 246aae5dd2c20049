// A destructive act is confirmed by typing the name of what is lost.
import { Trans, useLingui } from "@lingui/react/macro";
import { Button, Code, Group, Modal, Stack, Text, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { ProblemAlert } from "./ProblemAlert";

interface Props {
  opened: boolean;
  onClose: () => void;
  name: string;
  title: string;
  consequence: string;
  action: string;
  error: unknown;
  pending: boolean;
  onConfirm: () => void;
}

export function ConfirmByName({ opened, onClose, name, title, consequence, action, error, pending, onConfirm }: Props) {
  const { t } = useLingui();
  const [typed, setTyped] = useState("");
  const close = () => {
    setTyped("");
    onClose();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (typed === name) onConfirm();
  };
  return (
    <Modal opened={opened} onClose={close} title={title} closeButtonProps={{ "aria-label": t`Close` }}>
      <form onSubmit={submit}>
        <Stack>
          <Text size="sm">{consequence}</Text>
          <TextInput
            label={
              <Trans>
                Type <Code>{name}</Code> to confirm
              </Trans>
            }
            autoComplete="off"
            spellCheck={false}
            data-autofocus
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
          {error != null && <ProblemAlert error={error} />}
          <Group justify="flex-end" gap={8}>
            <Button variant="default" onClick={close}>
              <Trans>Keep it</Trans>
            </Button>
            <Button type="submit" color="red" disabled={typed !== name} loading={pending}>
              {action}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
