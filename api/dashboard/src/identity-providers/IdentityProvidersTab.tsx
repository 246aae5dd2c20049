import { Trans, useLingui } from "@lingui/react/macro";
import { Button, Group, Modal, Stack, Table, Text } from "@mantine/core";
import { IconFingerprintOff, IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { IdentityProviderResponse } from "@/api/types";
import { ConfirmButton } from "@/components/ConfirmButton";
import { CopyField } from "@/components/CopyField";
import { DataTable } from "@/components/DataTable";
import { EmptyState } from "@/components/EmptyState";
import { Loaded } from "@/components/Loaded";
import { useScope } from "@/organizations/scope";
import { IdentityProviderForm } from "./IdentityProviderForm";
import { identityProvidersQuery, useDeleteIdentityProvider } from "./queries";

export function IdentityProvidersTab() {
  const { t } = useLingui();
  const { organization } = useScope();
  const query = useQuery(identityProvidersQuery(organization.id));
  const remove = useDeleteIdentityProvider(organization.id);
  const [editing, setEditing] = useState<IdentityProviderResponse | "new" | null>(null);
  const [saved, setSaved] = useState<IdentityProviderResponse | null>(null);
  const add = (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setEditing("new")}><Trans>Add an identity provider</Trans></Button>
  );
  return (
    <Stack gap="sm">
      <Loaded query={query} rows={3}>
        {(providers) =>
          providers.length === 0 ? (
            <EmptyState icon={<IconFingerprintOff size={28} stroke={1.5} />} title={<Trans>No identity provider yet</Trans>} action={add}>
              <Trans>With one, people of your e-mail domains sign in with the account that they have already (OpenID Connect).</Trans>
            </EmptyState>
          ) : (
            <>
              <Group justify="flex-end">{add}</Group>
              <DataTable
                label={t`Identity providers`}
                columns={[
                  { label: <Trans>Name</Trans> },
                  { label: <Trans>E-mail domains</Trans>, width: "30%" },
                  { label: <Trans>New people</Trans>, width: 160 },
                  { label: <Trans>Actions</Trans>, width: 160, align: "right" },
                ]}
              >
                {providers.map((provider) => (
                  <Table.Tr key={provider.id}>
                    <Table.Td>
                      <Text size="sm" fw={500}>{provider.name}</Text>
                      <Text size="xs" c="dimmed" ff="monospace" truncate>{provider.issuer}</Text>
                    </Table.Td>
                    <Table.Td>{provider.email_domains.join(", ")}</Table.Td>
                    <Table.Td fz="xs">{provider.adds_members ? <Trans>become members</Trans> : <Trans>need an invitation</Trans>}</Table.Td>
                    <Table.Td>
                      <Group gap={4} justify="flex-end" wrap="nowrap">
                        <Button variant="subtle" size="compact-xs" aria-label={t`Change ${provider.name}`} onClick={() => setEditing(provider)}>
                          <Trans>Change</Trans>
                        </Button>
                        <ConfirmButton
                          label={<Trans>Delete</Trans>}
                          accessibleLabel={t`Delete ${provider.name}`}
                          title={t`Delete ${provider.name}?`}
                          consequence={<Trans>Nobody signs in with it any more. People and their roles stay.</Trans>}
                          action={<Trans>Delete identity provider</Trans>}
                          mutation={remove}
                          onConfirm={(close) => remove.mutate(provider.id, { onSuccess: close })}
                        />
                      </Group>
                    </Table.Td>
                  </Table.Tr>
                ))}
              </DataTable>
            </>
          )
        }
      </Loaded>
      <Modal
        opened={editing !== null}
        onClose={() => setEditing(null)}
        size="lg"
        title={editing === "new" ? t`Add an identity provider` : t`Change ${editing?.name ?? ""}`}
        closeButtonProps={{ "aria-label": t`Close` }}
      >
        {editing && (
          <IdentityProviderForm
            provider={editing === "new" ? undefined : editing}
            onClose={() => setEditing(null)}
            onSaved={(provider) => {
              setEditing(null);
              setSaved(provider);
            }}
          />
        )}
      </Modal>
      <Modal
        opened={saved !== null}
        onClose={() => setSaved(null)}
        title={<Trans>One thing is left to do at the provider</Trans>}
        closeButtonProps={{ "aria-label": t`Close` }}
      >
        <CopyField label={t`Redirect address`} description={t`Register it there for the client.`} value={saved?.redirect_url ?? ""} />
      </Modal>
    </Stack>
  );
}
