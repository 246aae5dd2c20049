import { Trans, useLingui } from "@lingui/react/macro";
import { Menu, Text, UnstyledButton } from "@mantine/core";
import { IconCheck, IconSelector } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { Logo } from "@/components/Logo";
import classes from "./Shell.module.css";
import { useShellOrganization } from "./use-shell-organization";

export function OrganizationSwitch() {
  const { t } = useLingui();
  const { organization, organizations } = useShellOrganization();
  const navigate = useNavigate();
  return (
    <Menu position="bottom-start" width={240}>
      <Menu.Target>
        <UnstyledButton className={classes.switch} aria-label={t`Switch organization`}>
          <Logo />
          <Text className={classes.switchText} size="sm" fw={600} truncate component="span">
            {organization?.name ?? "Quarry"}
          </Text>
          <IconSelector size={16} stroke={1.5} />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Trans>Organizations</Trans>
        </Menu.Label>
        {organizations.map((one) => (
          <Menu.Item
            key={one.id}
            rightSection={one.id === organization?.id ? <IconCheck size={16} aria-label={t`Current`} /> : null}
            onClick={() =>
              void navigate({ to: "/o/$organization/repositories", params: { organization: one.slug }, search: { project: undefined } })
            }
          >
            {one.name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
