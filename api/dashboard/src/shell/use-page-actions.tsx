import { useLingui } from "@lingui/react/macro";
import { useMantineColorScheme } from "@mantine/core";
import type { SpotlightActionData } from "@mantine/spotlight";
import { IconActivityHeartbeat, IconApi, IconCode, IconFile, IconFolders, IconKey, IconKeyboard, IconLock, IconMoon, IconPlus, IconSearch, IconUserCircle, IconUsers } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { openShortcuts } from "./shortcuts-store";
import { useShellOrganization } from "./use-shell-organization";

/** Pages and actions; text that was typed can also be searched for, in code or in paths. */
export function usePageActions(text: string): SpotlightActionData[] {
  const { t } = useLingui();
  const navigate = useNavigate();
  const { organization } = useShellOrganization();
  const { toggleColorScheme } = useMantineColorScheme();
  const icon = { size: 18, stroke: 1.75 };
  const query = text.trim();
  const params = { organization: organization?.slug ?? "" };
  const search = (q: string) => () => void navigate({ to: "/o/$organization/search", params, search: { q } });

  const ofText: SpotlightActionData[] = [
    { id: "search-code", label: t`Search code for “${query}”`, leftSection: <IconSearch {...icon} />, onClick: search(query) },
    { id: "search-paths", label: t`Find files named “${query}”`, leftSection: <IconFile {...icon} />, onClick: search(`path:${quoted(query)}`) },
  ];
  const ofOrganization: SpotlightActionData[] = [
    {
      id: "repositories",
      label: t`Repositories`,
      leftSection: <IconFolders {...icon} />,
      onClick: () => void navigate({ to: "/o/$organization/repositories", params }),
    },
    {
      id: "add-repository",
      label: t`Add a repository`,
      leftSection: <IconPlus {...icon} />,
      onClick: () => void navigate({ to: "/o/$organization/repositories/new", params }),
    },
    {
      id: "code",
      label: t`Code`,
      leftSection: <IconCode {...icon} />,
      onClick: () => void navigate({ to: "/o/$organization/code", params }),
    },
    {
      id: "projects",
      label: t`Projects`,
      leftSection: <IconLock {...icon} />,
      onClick: () => void navigate({ to: "/o/$organization/projects", params }),
    },
    {
      id: "people",
      label: t`People`,
      leftSection: <IconUsers {...icon} />,
      onClick: () => void navigate({ to: "/o/$organization/people", params }),
    },
    {
      id: "tokens",
      label: t`API tokens`,
      leftSection: <IconKey {...icon} />,
      onClick: () => void navigate({ to: "/o/$organization/tokens", params }),
    },
  ];
  return [
    ...(organization && query ? ofText : []),
    ...(organization ? ofOrganization : []),
    { id: "status", label: t`Status`, leftSection: <IconActivityHeartbeat {...icon} />, onClick: () => void navigate({ to: "/status" }) },
    { id: "api", label: t`API`, leftSection: <IconApi {...icon} />, onClick: () => void navigate({ to: "/api/docs" }) },
    { id: "account", label: t`Account`, leftSection: <IconUserCircle {...icon} />, onClick: () => void navigate({ to: "/account" }) },
    { id: "scheme", label: t`Switch between light and dark`, leftSection: <IconMoon {...icon} />, onClick: () => toggleColorScheme() },
    { id: "shortcuts", label: t`Keyboard shortcuts`, leftSection: <IconKeyboard {...icon} />, onClick: openShortcuts },
  ];
}

function quoted(text: string) {
  return /\s/.test(text) ? `"${text.replaceAll('"', "")}"` : text;
}
