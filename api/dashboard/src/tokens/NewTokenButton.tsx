import { Trans, useLingui } from "@lingui/react/macro";
import { Button, Modal, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconPlus } from "@tabler/icons-react";
import { useState } from "react";
import { CopyField } from "@/components/CopyField";
import { ShownOnce } from "@/components/ShownOnce";
import { NewTokenForm } from "./NewTokenForm";

/** Makes a token for oneself, or for a service account. */
export function NewTokenButton({ service }: { service?: { id: string; name: string } }) {
  const { t } = useLingui();
  const [opened, { open, close }] = useDisclosure();
  const [token, setToken] = useState<string | null>(null);
  const title = service ? t`New token for ${service.name}` : t`New token`;
  return (
    <>
      {service ? (
        <Button variant="subtle" size="compact-xs" onClick={open} aria-label={title}>
          <Trans>New token</Trans>
        </Button>
      ) : (
        <Button leftSection={<IconPlus size={16} />} onClick={open}>{title}</Button>
      )}
      <Modal opened={opened} onClose={close} title={title} closeButtonProps={{ "aria-label": t`Close` }}>
        <NewTokenForm
          serviceId={service?.id}
          onClose={close}
          onCreated={(text) => {
            close();
            setToken(text);
          }}
        />
      </Modal>
      <ShownOnce opened={token !== null} onClose={() => setToken(null)} title={<Trans>The token is ready</Trans>}>
        <CopyField label={t`Token`} value={token ?? ""} />
        <Text size="xs" c="dimmed"><Trans>Send it in the header “Authorization: Bearer”.</Trans></Text>
      </ShownOnce>
    </>
  );
}
