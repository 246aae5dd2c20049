import { Trans, useLingui } from "@lingui/react/macro";
import { Button, Group, Select } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useScope } from "@/organizations/scope";
import { membersQuery } from "./queries";

interface Props {
  /** Who is chosen already. */
  without: string[];
  pending: boolean;
  onAdd: (userId: string) => void;
  children?: ReactNode;
}

/** Adds one of the organization's members to something. */
export function PersonPicker({ without, pending, onAdd, children }: Props) {
  const { t } = useLingui();
  const { organization } = useScope();
  const { data: members = [] } = useQuery(membersQuery(organization.id));
  const [chosen, setChosen] = useState<string | null>(null);
  const left = members.filter((member) => member.is_active && !without.includes(member.user_id));
  const add = () => {
    if (!chosen) return;
    onAdd(chosen);
    setChosen(null);
  };
  return (
    <Group gap={8} align="flex-end">
      <Select
        size="xs"
        w={300}
        searchable
        clearable
        aria-label={t`Person`}
        placeholder={left.length === 0 ? t`Everybody is here already` : t`Choose a person`}
        disabled={left.length === 0}
        nothingFoundMessage={t`Nobody of this name is in the organization`}
        data={left.map((member) => ({ value: member.user_id, label: member.name ? `${member.name} (${member.email})` : member.email }))}
        value={chosen}
        onChange={setChosen}
      />
      {children}
      <Button disabled={!chosen} loading={pending} onClick={add}><Trans>Add person</Trans></Button>
    </Group>
  );
}
