import { Trans, useLingui } from "@lingui/react/macro";
import { ActionIcon, Button, Menu } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { notifications } from "@mantine/notifications";
import { IconCode, IconDots, IconRefresh, IconSearch, IconTrash } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { sentenceOf } from "@/api/problem-messages";
import type { RepositoryResponse } from "@/api/types";
import { ConfirmByName } from "@/components/ConfirmByName";
import { useCreateIndexRun } from "@/index-runs/queries";
import { useScope } from "@/organizations/scope";
import { quoteValue } from "@/search/query-text";
import { branchesQuery, useDeleteRepository } from "./queries";

export function RepositoryActions({ repository }: { repository: RepositoryResponse }) {
  const { t, i18n } = useLingui();
  const { organization } = useScope();
  const navigate = useNavigate();
  const { data: branches = [] } = useQuery(branchesQuery(repository.id));
  const index = useCreateIndexRun(repository.id);
  const remove = useDeleteRepository(repository.id);
  const [deleting, { open, close }] = useDisclosure();
  const params = { organization: organization.slug };

  const reindex = (branch?: string) =>
    index.mutate(branch, {
      onSuccess: () => notifications.show({ message: t`The index run is queued.` }),
      onError: (error) =>
        notifications.show({ color: "red", title: i18n._(sentenceOf(error).title), message: i18n._(sentenceOf(error).next) }),
    });

  return (
    <>
      {repository.published && (
        <>
          <Button
            variant="default"
            leftSection={<IconSearch size={14} />}
            renderRoot={(props) => (
              <Link to="/o/$organization/search" params={params} search={{ q: `repo:${quoteValue(repository.name)} ` }} {...props} />
            )}
          >
            <Trans>Search</Trans>
          </Button>
          <Button
            variant="default"
            leftSection={<IconCode size={14} />}
            renderRoot={(props) => (
              <Link to="/o/$organization/code/$repositoryId" params={{ ...params, repositoryId: repository.id }} {...props} />
            )}
          >
            <Trans>Browse code</Trans>
          </Button>
        </>
      )}
      <Button leftSection={<IconRefresh size={14} />} loading={index.isPending} onClick={() => reindex()}>
        <Trans>Re-index</Trans>
      </Button>
      <Menu position="bottom-end" width={220}>
        <Menu.Target>
          <ActionIcon variant="default" size={30} aria-label={t`More actions`}>
            <IconDots size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {branches.length > 1 && (
            <>
              <Menu.Label><Trans>Re-index one branch</Trans></Menu.Label>
              {branches.slice(0, 10).map((branch) => (
                <Menu.Item key={branch.id} ff="monospace" fz="xs" onClick={() => reindex(branch.name)}>
                  {branch.name}
                </Menu.Item>
              ))}
              <Menu.Divider />
            </>
          )}
          <Menu.Item color="red" leftSection={<IconTrash size={14} />} onClick={open}>
            <Trans>Delete repository…</Trans>
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <ConfirmByName
        opened={deleting}
        onClose={close}
        name={repository.name}
        title={t`Delete ${repository.name}?`}
        consequence={t`Its snapshots, its index and its ledger are removed for everybody. The source is not touched.`}
        action={t`Delete repository`}
        error={remove.error}
        pending={remove.isPending}
        onConfirm={() =>
          remove.mutate(undefined, {
            onSuccess: () => {
              notifications.show({ message: t`${repository.name} is being deleted.` });
              void navigate({ to: "/o/$organization/repositories", params });
            },
          })
        }
      />
    </>
  );
}
