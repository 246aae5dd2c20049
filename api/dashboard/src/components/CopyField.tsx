// A text to be copied: a link, a secret, an address.
import { useLingui } from "@lingui/react/macro";
import { ActionIcon, CopyButton, TextInput, Tooltip } from "@mantine/core";
import { IconCheck, IconCopy } from "@tabler/icons-react";

interface Props {
  label: string;
  value: string;
  description?: string;
}

export function CopyField({ label, value, description }: Props) {
  const { t } = useLingui();
  return (
    <TextInput
      label={label}
      description={description}
      value={value}
      readOnly
      ff="monospace"
      onFocus={(event) => event.currentTarget.select()}
      rightSection={
        <CopyButton value={value}>
          {({ copied, copy }) => (
            <Tooltip label={copied ? t`Copied` : t`Copy`}>
              <ActionIcon variant="subtle" color={copied ? "green" : "gray"} onClick={copy} aria-label={copied ? t`Copied` : t`Copy: ${label}`}>
                {copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
              </ActionIcon>
            </Tooltip>
          )}
        </CopyButton>
      }
    />
  );
}
