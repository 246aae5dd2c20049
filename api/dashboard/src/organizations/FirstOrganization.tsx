import { Trans, useLingui } from "@lingui/react/macro";
import { Button, Group, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { IconBuilding } from "@tabler/icons-react";
import { EmptyState } from "@/components/EmptyState";
import { ProblemAlert } from "@/components/ProblemAlert";
import { useCreateOrganization } from "./queries";

export function FirstOrganization() {
  const { t } = useLingui();
  const create = useCreateOrganization();
  const form = useForm({
    initialValues: { name: "" },
    validate: { name: (value) => (value.trim() ? null : t`Enter a name`) },
  });
  return (
    <EmptyState
      icon={<IconBuilding size={28} stroke={1.5} />}
      title={<Trans>You are not in an organization yet</Trans>}
      action={
        <form onSubmit={form.onSubmit(({ name }) => create.mutate(name.trim()))}>
          {create.isError && <ProblemAlert error={create.error} />}
          <Group align="flex-start" gap={8}>
            <TextInput aria-label={t`Name of the organization`} placeholder={t`Name`} {...form.getInputProps("name")} />
            <Button type="submit" size="sm" loading={create.isPending}>
              <Trans>Create organization</Trans>
            </Button>
          </Group>
        </form>
      }
    >
      <Trans>An organization holds projects and their repositories. Create one, or ask to be invited to one.</Trans>
    </EmptyState>
  );
}
