import { Trans, useLingui } from "@lingui/react/macro";
import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconPlus } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { NameModal } from "@/components/NameModal";
import { useScope } from "@/organizations/scope";
import { useCreateTeam } from "./queries";

export function NewTeamButton() {
  const { t } = useLingui();
  const { organization } = useScope();
  const [opened, { open, close }] = useDisclosure();
  const create = useCreateTeam(organization.id);
  const navigate = useNavigate();
  return (
    <>
      <Button leftSection={<IconPlus size={16} />} onClick={open}>
        <Trans>New team</Trans>
      </Button>
      <NameModal
        opened={opened}
        onClose={close}
        title={t`New team`}
        description={t`Projects are shared with a team instead of with each of its members.`}
        action={t`Create team`}
        error={create.error}
        pending={create.isPending}
        onSubmit={(name) =>
          create.mutate(name, {
            onSuccess: (team) =>
              navigate({ to: "/o/$organization/teams/$teamId", params: { organization: organization.slug, teamId: team.id } }),
          })
        }
      />
    </>
  );
}
