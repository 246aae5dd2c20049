import { Trans, useLingui } from "@lingui/react/macro";
import { Button, Group, Select } from "@mantine/core";
import { useState } from "react";
import type { ProjectRole } from "@/api/types";
import { ProjectRoleSelect } from "@/members/roles";

interface Props {
  label: string;
  placeholder: string;
  nothingLeft: string;
  choices: { value: string; label: string }[];
  pending: boolean;
  onShare: (id: string, role: ProjectRole) => void;
}

/** Chooses the other half of a share, a team or a project, and the role that it gives. */
export function SharePicker({ label, placeholder, nothingLeft, choices, pending, onShare }: Props) {
  const { t } = useLingui();
  const [chosen, setChosen] = useState<string | null>(null);
  const [role, setRole] = useState<ProjectRole>("reader");
  const share = () => {
    if (!chosen) return;
    onShare(chosen, role);
    setChosen(null);
  };
  return (
    <Group gap={8} align="flex-end">
      <Select
        size="xs"
        w={300}
        searchable
        clearable
        aria-label={label}
        placeholder={choices.length === 0 ? nothingLeft : placeholder}
        disabled={choices.length === 0}
        data={choices}
        value={chosen}
        onChange={setChosen}
      />
      <ProjectRoleSelect label={t`Role in the project`} value={role} onChange={setRole} />
      <Button disabled={!chosen} loading={pending} onClick={share}><Trans>Share</Trans></Button>
    </Group>
  );
}
