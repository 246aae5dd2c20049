import { Plural, Trans, useLingui } from "@lingui/react/macro";
import { Alert, Stack } from "@mantine/core";
import { IconShieldCheck, IconShieldX } from "@tabler/icons-react";
import type { VerificationResponse } from "@/api/types";
import { CopyField } from "@/components/CopyField";

export function Verification({ answer }: { answer: VerificationResponse }) {
  const { t } = useLingui();
  if (!answer.is_whole) {
    return (
      <Alert color="red" icon={<IconShieldX size={18} />} role="alert" title={t`The log has been tampered with`}>
        <Trans>The first event that does not hold is number {answer.fault?.sequence}. Keep a copy of the database and look into it.</Trans>
      </Alert>
    );
  }
  return (
    <Alert color="green" icon={<IconShieldCheck size={18} />} role="status" title={t`The log is whole`}>
      <Stack gap={8}>
        <div><Plural value={answer.events} one="# event holds." other="# events hold." /></div>
        <CopyField label={t`End of the log`} value={answer.head} description={t`Keep it elsewhere: a later verification can start from it.`} />
      </Stack>
    </Alert>
  );
}
