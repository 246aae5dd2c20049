import { Trans, useLingui } from "@lingui/react/macro";
import { Button, Group, Modal, Select, Stack, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useDisclosure } from "@mantine/hooks";
import { IconUserPlus } from "@tabler/icons-react";
import { useState } from "react";
import type { OrganizationRole } from "@/api/types";
import { CopyField } from "@/components/CopyField";
import { ProblemAlert } from "@/components/ProblemAlert";
import { ShownOnce } from "@/components/ShownOnce";
import { grantableRoles, useOrganizationRoles } from "@/members/roles";
import { useScope } from "@/organizations/scope";
import { useCreateInvitation } from "./queries";

export function InviteButton() {
  const { t } = useLingui();
  const { organization } = useScope();
  const roles = useOrganizationRoles();
  const create = useCreateInvitation(organization.id);
  const [opened, { open, close }] = useDisclosure();
  const [link, setLink] = useState<string | null>(null);
  const form = useForm({ initialValues: { role: "member" as OrganizationRole, note: "", hours: "168" } });

  const start = () => {
    form.reset();
    create.reset();
    open();
  };
  const submit = form.onSubmit(({ role, note, hours }) =>
    create.mutate(
      { role, note: note.trim() || null, expires_in_hours: Number(hours) },
      {
        onSuccess: ({ url }) => {
          close();
          setLink(url);
        },
      },
    ),
  );

  return (
    <>
      <Button leftSection={<IconUserPlus size={16} />} onClick={start}>
        <Trans>Invite by link</Trans>
      </Button>
      <Modal opened={opened} onClose={close} title={t`Invite somebody to ${organization.name}`} closeButtonProps={{ "aria-label": t`Close` }}>
        <form onSubmit={submit}>
          <Stack>
            {create.isError && <ProblemAlert error={create.error} />}
            <Select
              label={t`Role`}
              description={roles[form.values.role].meaning}
              allowDeselect={false}
              data-autofocus
              data={grantableRoles(organization.role).map((role) => ({ value: role, label: roles[role].label }))}
              {...form.getInputProps("role")}
            />
            <TextInput
              label={t`For whom`}
              description={t`A note for administrators; the person does not see it.`}
              maxLength={200}
              {...form.getInputProps("note")}
            />
            <Select
              label={t`Good for`}
              allowDeselect={false}
              data={[
                { value: "24", label: t`one day` },
                { value: "168", label: t`one week` },
                { value: "720", label: t`30 days` },
              ]}
              {...form.getInputProps("hours")}
            />
            <Group justify="flex-end">
              <Button variant="default" onClick={close}><Trans>Cancel</Trans></Button>
              <Button type="submit" loading={create.isPending}><Trans>Make the link</Trans></Button>
            </Group>
          </Stack>
        </form>
      </Modal>
      <ShownOnce opened={link !== null} onClose={() => setLink(null)} title={<Trans>The invitation is ready</Trans>}>
        <CopyField label={t`Invitation link`} value={link ?? ""} description={t`It lets one person in. You can revoke it until then.`} />
      </ShownOnce>
    </>
  );
}
