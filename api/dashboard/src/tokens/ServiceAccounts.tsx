import { Trans, useLingui } from "@lingui/react/macro";
import { Button, Group, Stack, Table, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconPlus, IconRobotOff } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { ConfirmButton } from "@/components/ConfirmButton";
import { DataTable } from "@/components/DataTable";
import { EmptyState } from "@/components/EmptyState";
import { Loaded } from "@/components/Loaded";
import { NameModal } from "@/components/NameModal";
import { When } from "@/components/When";
import { useScope } from "@/organizations/scope";
import { NewTokenButton } from "./NewTokenButton";
import { serviceAccountsQuery, useCreateServiceAccount, useDeleteServiceAccount } from "./queries";

export function ServiceAccounts() {
  const { t } = useLingui();
  const { organization } = useScope();
  const query = useQuery(serviceAccountsQuery(organization.id));
  const remove = useDeleteServiceAccount(organization.id);
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed">
        <Trans>A service account cannot sign in. Its tokens reach what projects and teams give it, whoever leaves.</Trans>
      </Text>
      <Loaded query={query}>
        {(accounts) =>
          accounts.length === 0 ? (
            <EmptyState icon={<IconRobotOff size={28} stroke={1.5} />} title={<Trans>No service accounts yet</Trans>}>
              <Trans>Make one for each program that should not depend on a person: a build, an agent, a bot.</Trans>
            </EmptyState>
          ) : (
            <DataTable
              label={t`Service accounts`}
              columns={[
                { label: <Trans>Name</Trans> },
                { label: <Trans>Made</Trans>, width: 150 },
                { label: <Trans>Actions</Trans>, width: 200, align: "right" },
              ]}
            >
              {accounts.map((account) => (
                <Table.Tr key={account.id}>
                  <Table.Td fw={500}>{account.name}</Table.Td>
                  <Table.Td fz="xs"><When at={account.created_at} /></Table.Td>
                  <Table.Td>
                    <Group gap={4} justify="flex-end" wrap="nowrap">
                      <NewTokenButton service={account} />
                      <ConfirmButton
                        label={<Trans>Delete</Trans>}
                        accessibleLabel={t`Delete ${account.name}`}
                        title={t`Delete ${account.name}?`}
                        consequence={<Trans>Its tokens stop working at once.</Trans>}
                        action={<Trans>Delete service account</Trans>}
                        mutation={remove}
                        onConfirm={(close) => remove.mutate(account.id, { onSuccess: close })}
                      />
                    </Group>
                  </Table.Td>
                </Table.Tr>
              ))}
            </DataTable>
          )
        }
      </Loaded>
    </Stack>
  );
}

export function NewServiceAccountButton() {
  const { t } = useLingui();
  const { organization } = useScope();
  const create = useCreateServiceAccount(organization.id);
  const [opened, { open, close }] = useDisclosure();
  return (
    <>
      <Button leftSection={<IconPlus size={16} />} onClick={open}><Trans>New service account</Trans></Button>
      <NameModal
        opened={opened}
        onClose={close}
        title={t`New service account`}
        action={t`Create service account`}
        error={create.error}
        pending={create.isPending}
        onSubmit={(name) => create.mutate(name, { onSuccess: close })}
      />
    </>
  );
}
