import { Trans, useLingui } from "@lingui/react/macro";
import { ActionIcon, Menu, Switch, Table, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconDots } from "@tabler/icons-react";
import type { AccountResponse } from "@/api/types";
import { ConfirmByName } from "@/components/ConfirmByName";
import { CopyField } from "@/components/CopyField";
import { NameModal } from "@/components/NameModal";
import { PersonCell } from "@/components/PersonCell";
import { ShownOnce } from "@/components/ShownOnce";
import { StateBadge } from "@/components/StateBadge";
import { useNotice } from "@/components/use-notice";
import { When } from "@/components/When";
import { useChangeUser, useCreatePasswordReset, useDeleteUser, useRemoveTotp, useSetActive } from "./queries";

export function UserRow({ user, isSelf }: { user: AccountResponse; isSelf: boolean }) {
  const { t } = useLingui();
  const notice = useNotice();
  const change = useChangeUser(user.id);
  const setActive = useSetActive(user.id);
  const remove = useDeleteUser(user.id);
  const reset = useCreatePasswordReset(user.id);
  const removeTotp = useRemoveTotp(user.id);
  const [renaming, rename] = useDisclosure();
  const [deleting, deletion] = useDisclosure();
  const called = user.name || user.email;
  const isActive = !user.deactivated_at;

  return (
    <Table.Tr>
      <Table.Td><PersonCell name={user.name} email={user.email} isSelf={isSelf} /></Table.Td>
      <Table.Td><StateBadge color={isActive ? "green" : "gray"} label={isActive ? t`active` : t`deactivated`} /></Table.Td>
      <Table.Td>
        <Switch
          size="xs"
          aria-label={t`${called} administers the server`}
          checked={user.is_instance_administrator}
          disabled={change.isPending || isSelf}
          onChange={(event) =>
            change.mutate({ is_instance_administrator: event.currentTarget.checked }, { onError: notice.failed })
          }
        />
      </Table.Td>
      <Table.Td fz="xs"><When at={user.created_at} /></Table.Td>
      <Table.Td ta="right">
        <Menu position="bottom-end" width={260}>
          <Menu.Target>
            <ActionIcon variant="subtle" color="gray" aria-label={t`Actions for ${called}`}>
              <IconDots size={16} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item onClick={rename.open}><Trans>Rename</Trans></Menu.Item>
            <Menu.Item onClick={() => reset.mutate(undefined, { onError: notice.failed })}>
              <Trans>Make a link to set a password</Trans>
            </Menu.Item>
            <Menu.Item
              onClick={() =>
                removeTotp.mutate(undefined, {
                  onSuccess: () => notice.done(t`${called} signs in without a code now.`),
                  onError: notice.failed,
                })
              }
            >
              <Trans>Switch the second factor off</Trans>
            </Menu.Item>
            {!isSelf && (
              <>
                <Menu.Divider />
                <Menu.Item onClick={() => setActive.mutate(!isActive, { onError: notice.failed })}>
                  {isActive ? <Trans>Deactivate: end every sign-in and token</Trans> : <Trans>Reactivate</Trans>}
                </Menu.Item>
                <Menu.Item color="red" onClick={deletion.open}><Trans>Delete account…</Trans></Menu.Item>
              </>
            )}
          </Menu.Dropdown>
        </Menu>
        <NameModal
          opened={renaming}
          onClose={rename.close}
          title={t`Rename ${called}`}
          action={t`Rename`}
          initial={user.name}
          error={change.error}
          pending={change.isPending}
          onSubmit={(name) => change.mutate({ name }, { onSuccess: rename.close })}
        />
        <ConfirmByName
          opened={deleting}
          onClose={deletion.close}
          name={user.email}
          title={t`Delete ${called}?`}
          consequence={t`The account, its memberships, sign-ins and tokens are removed. What it did stays in the audit log.`}
          action={t`Delete account`}
          error={remove.error}
          pending={remove.isPending}
          onConfirm={() => remove.mutate(undefined, { onSuccess: () => notice.done(t`${called} is deleted.`) })}
        />
        <ShownOnce opened={reset.data !== undefined} onClose={reset.reset} title={<Trans>A new password for {called}</Trans>}>
          <CopyField label={t`Link to set a password`} value={reset.data?.url ?? ""} />
          <Text size="xs" c="dimmed" ta="left">
            <Trans>It works once and ends <When at={reset.data?.expires_at} />. Links of before have ended.</Trans>
          </Text>
        </ShownOnce>
      </Table.Td>
    </Table.Tr>
  );
}
