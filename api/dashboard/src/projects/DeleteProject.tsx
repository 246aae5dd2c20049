import { Plural, Trans, useLingui } from "@lingui/react/macro";
import { Button, Group, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import type { ProjectResponse } from "@/api/types";
import { ConfirmByName } from "@/components/ConfirmByName";
import { DeletionProgress } from "@/components/DeletionProgress";
import { Panel } from "@/components/Panel";
import { useNotice } from "@/components/use-notice";
import { useScope } from "@/organizations/scope";
import { repositoriesQuery } from "@/repositories/queries";
import { deletionQuery, useDeleteProject } from "./queries";

const MOST_NAMED = 5;

export function DeleteProject({ project }: { project: ProjectResponse }) {
  const { t } = useLingui();
  const { organization } = useScope();
  const [deleting, { open, close }] = useDisclosure();
  const { data: repositories = [] } = useQuery(repositoriesQuery([project]));
  const remove = useDeleteProject(project.id);
  const [deletionId, setDeletionId] = useState<string | null>(null);
  const { data: deletion } = useQuery({ ...deletionQuery(deletionId ?? ""), enabled: deletionId !== null });
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const notice = useNotice();
  const names = repositories.slice(0, MOST_NAMED).map((repository) => repository.name).join(", ");
  const isGone = deletion?.state === "succeeded";

  useEffect(() => {
    if (!isGone) return;
    notice.done(t`${project.name} is deleted.`);
    void navigate({ to: "/o/$organization/projects", params: { organization: organization.slug } }).then(() =>
      queryClient.invalidateQueries({ queryKey: ["projects"] }),
    );
  }, [isGone]); // eslint-disable-line react-hooks/exhaustive-deps -- once, when it is gone

  return (
    <Panel title={<Trans>Delete the project</Trans>}>
      <Stack gap="sm">
        {deletion ? (
          <DeletionProgress deletion={deletion} />
        ) : (
          <Text size="sm">
            {repositories.length === 0 ? (
              <Trans>The project has no repositories.</Trans>
            ) : (
              <>
                <Plural
                  value={repositories.length}
                  one="# repository is deleted with it, from every index:"
                  other="# repositories are deleted with it, from every index:"
                />{" "}
                <Text span fw={500}>{names}{repositories.length > MOST_NAMED && "…"}</Text>
              </>
            )}
          </Text>
        )}
        <Group>
          <Button variant="subtle" color="red" onClick={open} disabled={deletionId !== null}>
            <Trans>Delete project…</Trans>
          </Button>
        </Group>
      </Stack>
      <ConfirmByName
        opened={deleting}
        onClose={close}
        name={project.name}
        title={t`Delete ${project.name}?`}
        consequence={
          repositories.length === 0
            ? t`The project and its shares are removed for everybody.`
            : t`The project, its repositories and everything indexed of them are removed for everybody: ${names}. The sources are not touched.`
        }
        action={t`Delete project`}
        error={remove.error}
        pending={remove.isPending}
        onConfirm={() =>
          remove.mutate(repositories.length > 0, {
            onSuccess: ({ id }) => {
              close();
              setDeletionId(id);
            },
          })
        }
      />
    </Panel>
  );
}
