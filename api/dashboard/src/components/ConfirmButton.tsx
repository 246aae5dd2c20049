// An act that takes something away: the button says what, the dialog what follows from it.
import { Trans, useLingui } from "@lingui/react/macro";
import { Button, type ButtonProps, Group, Modal, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import type { ReactNode } from "react";
import { ProblemAlert } from "./ProblemAlert";

interface Props extends Omit<ButtonProps, "children"> {
  label: ReactNode;
  /** Names the object too, for people who hear the page. */
  accessibleLabel?: string;
  title: string;
  consequence: ReactNode;
  action: ReactNode;
  mutation: { isPending: boolean; error: unknown; reset: () => void };
  onConfirm: (close: () => void) => void;
}

export function ConfirmButton({ label, accessibleLabel, title, consequence, action, mutation, onConfirm, ...button }: Props) {
  const { t } = useLingui();
  const [opened, { open, close }] = useDisclosure();
  const start = () => {
    mutation.reset();
    open();
  };
  return (
    <>
      <Button variant="subtle" color="red" size="compact-xs" {...button} aria-label={accessibleLabel} onClick={start}>
        {label}
      </Button>
      <Modal opened={opened} onClose={close} title={title} closeButtonProps={{ "aria-label": t`Close` }}>
        <Stack>
          <Text size="sm" component="div">{consequence}</Text>
          {mutation.error != null && <ProblemAlert error={mutation.error} />}
          <Group justify="flex-end" gap={8}>
            <Button variant="default" onClick={close} data-autofocus>
              <Trans>Cancel</Trans>
            </Button>
            <Button color="red" loading={mutation.isPending} onClick={() => onConfirm(close)}>
              {action}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}
