import { Trans, useLingui } from "@lingui/react/macro";
import { Box, Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { QRCodeSVG } from "qrcode.react";
import { CopyField } from "@/components/CopyField";
import { ProblemAlert } from "@/components/ProblemAlert";
import { useConfirmTotp } from "./queries";

interface Props {
  secret: { otpauth_url: string; secret: string };
  onDone: (recoveryCodes: string[]) => void;
  onCancel: () => void;
}

const QR_SIZE = 192;

export function Enrolment({ secret, onDone, onCancel }: Props) {
  const { t } = useLingui();
  const confirm = useConfirmTotp();
  const form = useForm({
    initialValues: { code: "" },
    validate: { code: (value) => (value.trim() ? null : t`Enter the code`) },
  });
  const submit = form.onSubmit(({ code }) =>
    confirm.mutate(code.trim(), { onSuccess: ({ recovery_codes }) => onDone(recovery_codes) }),
  );
  return (
    <form onSubmit={submit} noValidate>
      <Group align="flex-start" gap="lg">
        {/* Cameras read dark on light, so the picture keeps its white ground in the dark scheme. */}
        <Box bg="white" p={8} w={QR_SIZE + 16} h={QR_SIZE + 16}>
          <QRCodeSVG value={secret.otpauth_url} size={QR_SIZE} marginSize={1} title={t`QR code for the authenticator`} />
        </Box>
        <Stack flex={1} miw={240} gap="sm">
          <Text size="sm"><Trans>Scan the picture with an authenticator, or type the key in. Then enter the code that it shows.</Trans></Text>
          <CopyField label={t`Key`} value={secret.secret} />
          {confirm.isError && <ProblemAlert error={confirm.error} />}
          <TextInput label={t`Code`} autoComplete="one-time-code" inputMode="numeric" ff="monospace" {...form.getInputProps("code")} />
          <Group gap={8}>
            <Button type="submit" loading={confirm.isPending}><Trans>Confirm</Trans></Button>
            <Button variant="default" onClick={onCancel}><Trans>Cancel</Trans></Button>
          </Group>
        </Stack>
      </Group>
    </form>
  );
}
