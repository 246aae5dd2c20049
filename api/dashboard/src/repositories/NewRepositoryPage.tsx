// Source → check access → branches → start.
import { Trans, useLingui } from "@lingui/react/macro";
import { Button, Group, Select, Stack } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import type { RepositorySource, SourceCheckResponse } from "@/api/types";
import { Page } from "@/components/Page";
import { Panel } from "@/components/Panel";
import { ProblemAlert } from "@/components/ProblemAlert";
import { useScope } from "@/organizations/scope";
import { NewProjectModal } from "@/projects/NewProjectModal";
import { BranchesForm } from "./BranchesForm";
import { useCheckSource } from "./queries";
import { SourceForm } from "./SourceForm";

const route = getRouteApi("/shell/o/$organization/repositories/new");

interface Checked {
  source: RepositorySource;
  answer: SourceCheckResponse;
}

export function NewRepositoryPage() {
  const { t } = useLingui();
  const { organization, project, projects } = useScope();
  const { kind = "git" } = route.useSearch();
  const navigate = route.useNavigate();
  const [projectId, setProjectId] = useState(project?.id ?? projects[0]?.id ?? null);
  const [creating, { open, close }] = useDisclosure();
  const [checked, setChecked] = useState<Checked | null>(null);
  const check = useCheckSource();

  const checkSource = (source: RepositorySource) => {
    if (!projectId) return;
    setChecked(null);
    check.mutate({ projectId, source }, { onSuccess: (answer) => setChecked({ source, answer }) });
  };

  return (
    <Page title={t`Add a repository`}>
      <Stack maw={680} gap="md">
        <Panel title={<Trans>1. Project</Trans>}>
          <Group align="flex-end" gap={8}>
            <Select
              flex={1}
              label={t`Project`}
              description={t`Whoever may read the project may search the repository.`}
              placeholder={projects.length === 0 ? t`There is no project yet` : undefined}
              allowDeselect={false}
              data={projects.map((one) => ({ value: one.id, label: one.name }))}
              value={projectId}
              onChange={setProjectId}
            />
            {organization.role !== "member" && (
              <Button variant="default" size="sm" onClick={open}>
                <Trans>New project</Trans>
              </Button>
            )}
          </Group>
        </Panel>
        <Panel title={<Trans>2. Source</Trans>}>
          <SourceForm
            kind={kind}
            onKind={(next) => {
              setChecked(null);
              check.reset();
              void navigate({ search: (previous) => ({ ...previous, kind: next }), replace: true });
            }}
            onChange={() => setChecked(null)}
            onCheck={checkSource}
            checking={check.isPending}
            disabled={!projectId}
          />
          {check.isError && (
            <Stack mt="md">
              <ProblemAlert error={check.error} />
            </Stack>
          )}
        </Panel>
        {checked && projectId && (
          <Panel title={<Trans>3. Branches</Trans>}>
            <BranchesForm projectId={projectId} source={checked.source} answer={checked.answer} />
          </Panel>
        )}
      </Stack>
      <NewProjectModal
        organizationId={organization.id}
        opened={creating}
        onClose={close}
        onCreated={(created) => {
          setProjectId(created.id);
          close();
        }}
      />
    </Page>
  );
}
