import { Trans, useLingui } from "@lingui/react/macro";
import { Button, Group, Modal, Stack, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import type { ProjectResponse } from "@/api/types";
import { ProblemAlert } from "@/components/ProblemAlert";
import { useCreateProject } from "./queries";

interface Props {
  organizationId: string;
  opened: boolean;
  onClose: () => void;
  onCreated: (project: ProjectResponse) => void;
}

export function NewProjectModal({ organizationId, opened, onClose, onCreated }: Props) {
  const { t } = useLingui();
  const create = useCreateProject(organizationId);
  const form = useForm({
    initialValues: { name: "" },
    validate: { name: (value) => (value.trim() ? null : t`Enter a name`) },
  });
  const submit = form.onSubmit(({ name }) => {
    create.mutate(name.trim(), {
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
