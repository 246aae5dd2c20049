import { Trans, useLingui } from "@lingui/react/macro";
import { ActionIcon, Button, Fieldset, Group, Select, Stack, Text, TextInput } from "@mantine/core";
import { IconPlus, IconTrash } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useScope } from "@/organizations/scope";
import { teamsQuery } from "@/teams/queries";
import type { Mapping } from "./values";

interface Props {
  groups: Mapping[];
  onChange: (groups: Mapping[]) => void;
}

export function GroupMappings({ groups, onChange }: Props) {
  const { t } = useLingui();
  const { organization } = useScope();
  const { data: teams = [] } = useQuery(teamsQuery(organization.id));
  const change = (index: number, part: Partial<Mapping>) =>
    onChange(groups.map((mapping, at) => (at === index ? { ...mapping, ...part } : mapping)));
  return (
    <Fieldset legend={t`Groups`} p="sm">
      <Stack gap={8}>
        <Text size="xs" c="dimmed">
          <Trans>Applied at every sign-in. Who is in none of the groups of a role or team loses it; owners keep theirs.</Trans>
        </Text>
        {groups.map((mapping, index) => (
          <Group key={index} gap={8} wrap="nowrap">
            <TextInput
              flex={1}
              size="xs"
              aria-label={t`Group at the provider`}
              placeholder={t`Group at the provider`}
              value={mapping.group}
              onChange={(event) => change(index, { group: event.currentTarget.value })}
            />
            <Select
              w={140}
              size="xs"
              clearable
              aria-label={t`Role that the group gives`}
              placeholder={t`No role`}
              data={[
                { value: "member", label: t`member` },
                { value: "administrator", label: t`administrator` },
              ]}
              value={mapping.role ?? null}
              onChange={(role) => change(index, { role: role as Mapping["role"] })}
            />
            <Select
              w={160}
              size="xs"
              clearable
              searchable
              aria-label={t`Team that the group is in`}
              placeholder={t`No team`}
              data={teams.map((team) => ({ value: team.id, label: team.name }))}
              value={mapping.team_id ?? null}
              onChange={(team_id) => change(index, { team_id })}
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t`Remove the group`}
              onClick={() => onChange(groups.filter((_, at) => at !== index))}
            >
              <IconTrash size={16} />
            </ActionIcon>
          </Group>
        ))}
        <Group>
          <Button
            variant="default"
            leftSection={<IconPlus size={14} />}
            onClick={() => onChange([...groups, { group: "", role: null, team_id: null }])}
          >
            <Trans>Add a group</Trans>
          </Button>
        </Group>
      </Stack>
    </Fieldset>
  );
}
