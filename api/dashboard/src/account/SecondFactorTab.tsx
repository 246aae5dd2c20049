import { Trans, useLingui } from "@lingui/react/macro";
import { Button, Code, Group, SimpleGrid, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { CopyField } from "@/components/CopyField";
import { Loaded } from "@/components/Loaded";
import { Panel } from "@/components/Panel";
import { ShownOnce } from "@/components/ShownOnce";
import { StateBadge } from "@/components/StateBadge";
import { useNotice } from "@/components/use-notice";
import { When } from "@/components/When";
import { Enrolment } from "./Enrolment";
import { PasswordModal } from "./PasswordModal";
import { totpQuery, useBeginTotp, useDisableTotp, useReplaceRecoveryCodes } from "./queries";

type Asking = "begin" | "disable" | "codes" | null;

export function SecondFactorTab() {
  const { t } = useLingui();
  const query = useQuery(totpQuery);
  const begin = useBeginTotp();
  const disable = useDisableTotp();
  const replace = useReplaceRecoveryCodes();
  const notice = useNotice();
  const [asking, setAsking] = useState<Asking>(null);
  const [codes, setCodes] = useState<string[]>([]);
  const close = () => setAsking(null);
  const ask = (what: Asking) => () => {
    for (const act of [begin, disable, replace]) act.reset();
    setAsking(what);
  };

  return (
    <Stack gap="md" maw={640}>
      <Loaded query={query} rows={3}>
        {(totp) => (
          <Panel title={<Trans>Authenticator</Trans>}>
            <Stack gap="sm">
              <Group gap={8}>
                <StateBadge color={totp.is_enabled ? "green" : "gray"} label={totp.is_enabled ? t`on` : t`off`} />
                {totp.is_enabled && <Text size="xs" c="dimmed"><When at={totp.enabled_at} /></Text>}
              </Group>
              <Text size="sm">
                {totp.is_enabled ? (
                  <Trans>Signing in with the password asks for a code too. {totp.recovery_codes_left} recovery codes are left.</Trans>
                ) : (
                  <Trans>A stolen password alone does not open your account when signing in also asks for a code of your phone.</Trans>
                )}
              </Text>
              {begin.data && !totp.is_enabled ? (
                <Enrolment secret={begin.data} onDone={setCodes} onCancel={begin.reset} />
              ) : totp.is_enabled ? (
                <Group gap={8}>
                  <Button variant="default" onClick={ask("codes")}><Trans>New recovery codes</Trans></Button>
                  <Button variant="subtle" color="red" onClick={ask("disable")}><Trans>Switch off</Trans></Button>
                </Group>
              ) : (
                <Group>
                  <Button onClick={ask("begin")}><Trans>Set up an authenticator</Trans></Button>
                </Group>
              )}
            </Stack>
          </Panel>
        )}
      </Loaded>
      <PasswordModal
        opened={asking === "begin"}
        onClose={close}
        title={t`Set up an authenticator`}
        consequence={t`Nothing changes until a code has confirmed it.`}
        action={t`Go on`}
        error={begin.error}
        pending={begin.isPending}
        onSubmit={(password) => begin.mutate(password, { onSuccess: close })}
      />
      <PasswordModal
        opened={asking === "disable"}
        onClose={close}
        title={t`Switch the second factor off?`}
        consequence={t`From then on the password alone opens your account.`}
        action={t`Switch off`}
        error={disable.error}
        pending={disable.isPending}
        onSubmit={(password) =>
          disable.mutate(password, {
            onSuccess: () => {
              begin.reset();
              close();
              notice.done(t`The second factor is off.`);
            },
          })
        }
      />
      <PasswordModal
        opened={asking === "codes"}
        onClose={close}
        title={t`Make new recovery codes?`}
        consequence={t`The codes of before stop working.`}
        action={t`Make new codes`}
        error={replace.error}
        pending={replace.isPending}
        onSubmit={(password) =>
          replace.mutate(password, {
            onSuccess: ({ recovery_codes }) => {
              close();
              setCodes(recovery_codes);
            },
          })
        }
      />
      <ShownOnce opened={codes.length > 0} onClose={() => setCodes([])} title={<Trans>Recovery codes</Trans>}>
        <Text size="sm"><Trans>Each stands in for a lost authenticator once. Keep them where you keep passwords.</Trans></Text>
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing={8}>
          {codes.map((code) => (
            <Code key={code} fz="sm">{code}</Code>
          ))}
        </SimpleGrid>
        <CopyField label={t`All of them`} value={codes.join(" ")} />
      </ShownOnce>
    </Stack>
  );
}
