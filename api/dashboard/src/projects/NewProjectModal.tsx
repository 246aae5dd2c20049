import { Trans, useLingui } from "@lingui/react/macro";
import { Button, Group, Modal, Radio, Stack, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import type { ProjectResponse, Visibility } from "@/api/types";
import { ProblemAlert } from "@/components/ProblemAlert";
import { useCreateProject } from "./queries";
import { useVisibilities } from "./visibility";

interface Props {
  organizationId: string;
  opened: boolean;
  onClose: () => void;
  onCreated: (project: ProjectResponse) => void;
}

export function NewProjectModal({ organizationId, opened, onClose, onCreated }: Props) {
  const { t } = useLingui();
  const create = useCreateProject(organizationId);
  const visibilities = useVisibilities();
  const form = useForm({
    initialValues: { name: "", visibility: "organization" as Visibility },
    validate: { name: (value) => (value.trim() ? null : t`Enter a name`) },
  });
  const submit = form.onSubmit(({ name, visibility }) => {
    create.mutate({ name: name.trim(), visibility }, {
      onSuccess: (project) => {
        form.reset();
        onCreated(project);
      },
    });
  });
  return (
    <Modal opened={opened} onClose={onClose} title={<Trans>New project</Trans>} closeButtonProps={{ "aria-label": t`Close` }}>
      <form onSubmit={submit}>
        <Stack>
          {create.isError && <ProblemAlert error={create.error} />}
          <TextInput
            label={t`Name`}
            description={t`A project groups repositories that the same people may read.`}
            data-autofocus
            {...form.getInputProps("name")}
          />
          <Radio.Group label={t`Visibility`} {...form.getInputProps("visibility")}>
            <Stack gap={8} mt={8}>
              {(["organization", "private"] as const).map((one) => (
                <Radio key={one} value={one} label={visibilities[one].label} description={visibilities[one].meaning} />
              ))}
            </Stack>
          </Radio.Group>
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              <Trans>Cancel</Trans>
            </Button>
            <Button type="submit" loading={create.isPending}>
              <Trans>Create project</Trans>
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
