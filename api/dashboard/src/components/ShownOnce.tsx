// Secrets that the server says one time, in a dialog that is closed on purpose only.
import { Trans } from "@lingui/react/macro";
import { Alert, Button, Group, Modal, Stack, Text } from "@mantine/core";
import { IconEyeOff } from "@tabler/icons-react";
import type { ReactNode } from "react";

interface Props {
  opened: boolean;
  onClose: () => void;
  title: ReactNode;
  children: ReactNode;
}

export function ShownOnce({ opened, onClose, title, children }: Props) {
  return (
    <Modal opened={opened} onClose={onClose} title={title} size="lg" withCloseButton={false} closeOnClickOutside={false} closeOnEscape={false}>
      <Stack>
        {children}
        <Alert color="yellow" p="xs" icon={<IconEyeOff size={16} />}>
          <Text size="sm">
            <Trans>This is shown one time. Whoever has it can use it, so hand it over on a way that others do not read.</Trans>
          </Text>
        </Alert>
        <Group justify="flex-end">
          <Button onClick={onClose} data-autofocus>
            <Trans>Done</Trans>
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
