import { Trans, useLingui } from "@lingui/react/macro";
import { Button, Group, Radio, Stack, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import type { ProjectResponse, Visibility } from "@/api/types";
import { Panel } from "@/components/Panel";
import { ProblemAlert } from "@/components/ProblemAlert";
import { useNotice } from "@/components/use-notice";
import { useChangeProject } from "./queries";
import { useVisibilities } from "./visibility";

interface Props {
  project: ProjectResponse;
  mayManage: boolean;
}

export function ProjectSettings({ project, mayManage }: Props) {
  const visibilities = useVisibilities();
  return (
    <Panel title={<Trans>Name and visibility</Trans>}>
      {mayManage ? (
        <SettingsForm project={project} />
      ) : (
        <Text size="sm">
          <Text span fw={500}>{visibilities[project.visibility].label}</Text>: {visibilities[project.visibility].meaning}
        </Text>
      )}
    </Panel>
  );
}

function SettingsForm({ project }: { project: ProjectResponse }) {
  const { t } = useLingui();
  const visibilities = useVisibilities();
  const change = useChangeProject(project.id);
  const notice = useNotice();
  const form = useForm({
    initialValues: { name: project.name, visibility: project.visibility as Visibility },
    validate: { name: (value) => (value.trim() ? null : t`Enter a name`) },
  });
  const submit = form.onSubmit(({ name, visibility }) =>
    change.mutate(
      { name: name.trim(), visibility },
      {
        onSuccess: () => {
          form.resetDirty();
          notice.done(t`The project is changed.`);
        },
      },
    ),
  );
  return (
    <form onSubmit={submit}>
      <Stack maw={560}>
        {change.isError && <ProblemAlert error={change.error} />}
        <TextInput label={t`Name`} maxLength={100} {...form.getInputProps("name")} />
        <Radio.Group label={t`Visibility`} {...form.getInputProps("visibility")}>
          <Stack gap={8} mt={8}>
            {(["organization", "private"] as const).map((one) => (
              <Radio key={one} value={one} label={visibilities[one].label} description={visibilities[one].meaning} />
            ))}
          </Stack>
        </Radio.Group>
        <Group>
          <Button type="submit" disabled={!form.isDirty()} loading={change.isPending}>
            <Trans>Save</Trans>
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
