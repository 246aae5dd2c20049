import { Plural, Trans, useLingui } from "@lingui/react/macro";
import { Alert, Button, Group, MultiSelect, Stack, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { IconCheck, IconInfoCircle } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import type { RepositorySource, SourceCheckResponse } from "@/api/types";
import { ProblemAlert } from "@/components/ProblemAlert";
import { useScope } from "@/organizations/scope";
import { useCreateRepository } from "./queries";
import { nameOfSource } from "./source-name";

interface Props {
  projectId: string;
  source: RepositorySource;
  answer: SourceCheckResponse;
}

export function BranchesForm({ projectId, source, answer }: Props) {
  const { t } = useLingui();
  const { organization } = useScope();
  const navigate = useNavigate();
  const create = useCreateRepository();
  const first = answer.default_branch ?? answer.branches[0]?.name;
  const form = useForm({
    initialValues: { name: nameOfSource(source), branches: first ? [first] : [] },
    validate: { name: (value) => (value.trim() ? null : t`Enter a name`) },
  });

  const submit = form.onSubmit(({ name, branches }) => {
    const body = { name: name.trim(), source, ...(branches.length > 0 ? { branches } : {}) };
    create.mutate(
      { projectId, body },
      {
        onSuccess: (repository) =>
          void navigate({
            to: "/o/$organization/repositories/$repositoryId",
            params: { organization: organization.slug, repositoryId: repository.id },
          }),
      },
    );
  });

  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <Group gap={6}>
          <IconCheck size={16} color="var(--mantine-color-green-text)" />
          <Text size="sm">
            <Plural
              value={answer.branches.length}
              _0="The source can be read; it has no branch yet."
              one="The source can be read: # branch."
              other="The source can be read: # branches."
            />
          </Text>
        </Group>
        {answer.warning && (
          <Alert color="yellow" icon={<IconInfoCircle size={18} />}>
            {answer.warning}
          </Alert>
        )}
        <TextInput label={t`Name`} {...form.getInputProps("name")} />
        <MultiSelect
          label={t`Branches to index`}
          description={t`The default branch is enough for most; each further branch takes its own time and space.`}
          data={answer.branches.map((branch) => branch.name)}
          searchable
          limit={100}
          {...form.getInputProps("branches")}
        />
        {create.isError && <ProblemAlert error={create.error} />}
        <Group justify="flex-end">
          <Button type="submit" size="sm" loading={create.isPending}>
            <Trans>Start indexing</Trans>
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
