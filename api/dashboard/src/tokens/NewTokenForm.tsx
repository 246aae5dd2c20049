import { Trans, useLingui } from "@lingui/react/macro";
import { Button, Checkbox, Group, MultiSelect, Select, Stack, TagsInput, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import type { TokenScope } from "@/api/types";
import { ProblemAlert } from "@/components/ProblemAlert";
import { useScope } from "@/organizations/scope";
import { useCreateToken } from "./queries";
import { SCOPES, useScopes } from "./scopes";

interface Props {
  serviceId?: string;
  onClose: () => void;
  onCreated: (token: string) => void;
}

export function NewTokenForm({ serviceId, onClose, onCreated }: Props) {
  const { t } = useLingui();
  const { organization, projects } = useScope();
  const scopes = useScopes();
  const create = useCreateToken(organization.id, serviceId);
  const form = useForm({
    initialValues: { name: "", scopes: ["search"] as string[], projects: [] as string[], addresses: [] as string[], days: "90" },
    validate: {
      name: (value) => (value.trim() ? null : t`Say what it is for`),
      scopes: (value) => (value.length > 0 ? null : t`Choose at least one scope`),
    },
  });
  const submit = form.onSubmit((values) =>
    create.mutate(
      {
        name: values.name.trim(),
        scopes: values.scopes as TokenScope[],
        project_ids: values.projects.length > 0 ? values.projects : null,
        addresses: values.addresses.length > 0 ? values.addresses : null,
        expires_in_days: Number(values.days),
      },
      { onSuccess: ({ token }) => onCreated(token) },
    ),
  );
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        {create.isError && <ProblemAlert error={create.error} />}
        <TextInput label={t`What it is for`} maxLength={100} autoComplete="off" data-autofocus {...form.getInputProps("name")} />
        <Checkbox.Group label={t`Scopes`} description={t`It never has more rights than its owner.`} {...form.getInputProps("scopes")}>
          <Stack gap={8} mt={8}>
            {SCOPES.map((scope) => (
              <Checkbox key={scope} value={scope} label={scopes[scope].label} description={scopes[scope].meaning} />
            ))}
          </Stack>
        </Checkbox.Group>
        <MultiSelect
          label={t`Only these projects`}
          placeholder={form.values.projects.length === 0 ? t`Every project of its owner` : undefined}
          clearable
          searchable
          data={projects.map((project) => ({ value: project.id, label: project.name }))}
          {...form.getInputProps("projects")}
        />
        <TagsInput
          label={t`Only from these networks`}
          description={t`Networks such as 10.0.0.0/8; press Enter after each.`}
          placeholder={form.values.addresses.length === 0 ? t`From anywhere` : undefined}
          {...form.getInputProps("addresses")}
        />
        <Select
          label={t`Good for`}
          allowDeselect={false}
          data={[
            { value: "7", label: t`one week` },
            { value: "30", label: t`30 days` },
            { value: "90", label: t`90 days` },
            { value: "365", label: t`one year` },
          ]}
          {...form.getInputProps("days")}
        />
        <Group justify="flex-end" gap={8}>
          <Button variant="default" onClick={onClose}><Trans>Cancel</Trans></Button>
          <Button type="submit" loading={create.isPending}><Trans>Create token</Trans></Button>
        </Group>
      </Stack>
    </form>
  );
}
