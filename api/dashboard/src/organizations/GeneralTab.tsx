import { Trans, useLingui } from "@lingui/react/macro";
import { Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useDisclosure } from "@mantine/hooks";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { ConfirmByName } from "@/components/ConfirmByName";
import { Panel } from "@/components/Panel";
import { ProblemAlert } from "@/components/ProblemAlert";
import { useNotice } from "@/components/use-notice";
import { membersQuery } from "@/members/queries";
import { useDeleteOrganization, useRenameOrganization } from "./queries";
import { useScope } from "./scope";

export function GeneralTab() {
  return (
    <Stack gap="md" maw={640}>
      <Rename />
      <Delete />
    </Stack>
  );
}

function Rename() {
  const { t } = useLingui();
  const { organization } = useScope();
  const rename = useRenameOrganization(organization.id);
  const notice = useNotice();
  const navigate = useNavigate();
  const form = useForm({
    initialValues: { name: organization.name },
    validate: { name: (value) => (value.trim() ? null : t`Enter a name`) },
  });
  const submit = form.onSubmit(({ name }) =>
    rename.mutate(name.trim(), {
      onSuccess: ({ slug }) => {
        notice.done(t`The organization is renamed.`);
        void navigate({ to: "/o/$organization/settings", params: { organization: slug }, replace: true });
      },
    }),
  );
  return (
    <Panel title={<Trans>Name</Trans>}>
      <form onSubmit={submit}>
        <Stack>
          {rename.isError && <ProblemAlert error={rename.error} />}
          <TextInput label={t`Name`} maxLength={100} {...form.getInputProps("name")} />
          <Group>
            <Button type="submit" disabled={!form.isDirty()} loading={rename.isPending}><Trans>Rename</Trans></Button>
          </Group>
        </Stack>
      </form>
    </Panel>
  );
}

function Delete() {
  const { t } = useLingui();
  const { organization, projects } = useScope();
  const { data: members = [] } = useQuery(membersQuery(organization.id));
  const remove = useDeleteOrganization(organization.id);
  const [opened, { open, close }] = useDisclosure();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const notice = useNotice();
  const repositories = projects.reduce((sum, project) => sum + project.repositories, 0);
  const others = Math.max(members.length - 1, 0);
  return (
    <Panel title={<Trans>Delete the organization</Trans>}>
      <Stack gap="sm">
        <Text size="sm">
          <Trans>With it go {projects.length} projects, {repositories} repositories and the membership of {others} other people. Accounts stay.</Trans>
        </Text>
        <Group>
          <Button variant="subtle" color="red" onClick={open}><Trans>Delete organization…</Trans></Button>
        </Group>
      </Stack>
      <ConfirmByName
        opened={opened}
        onClose={close}
        name={organization.name}
        title={t`Delete ${organization.name}?`}
        consequence={t`Everything in it is removed for everybody, from the database and from every index. This cannot be undone.`}
        action={t`Delete organization`}
        error={remove.error}
        pending={remove.isPending}
        onConfirm={() =>
          remove.mutate(projects.length > 0 || others > 0, {
            onSuccess: async () => {
              notice.done(t`${organization.name} is being deleted.`);
              await navigate({ to: "/" });
              await queryClient.invalidateQueries({ queryKey: ["me"] });
            },
          })
        }
      />
    </Panel>
  );
}
