import type { SpotlightActionData } from "@mantine/spotlight";
import { IconVariable } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { symbolsQuery } from "@/symbols/queries";
import { useShellOrganization } from "./use-shell-organization";

const SHORTEST_PREFIX = 2;

export function useSymbolActions(text: string): SpotlightActionData[] {
  const navigate = useNavigate();
  const { organization } = useShellOrganization();
  const name = text.trim();
  const enabled = organization !== undefined && name.length >= SHORTEST_PREFIX && !/\s/.test(name);
  const { data } = useQuery({
    ...symbolsQuery({ organization_id: organization?.id ?? "", name, prefix: true, limit: 8 }),
    enabled,
  });
  if (!organization || !enabled) return [];
  return (data?.items ?? []).map((symbol) => ({
    id: `${symbol.repository_id}:${symbol.path}:${symbol.start_line}:${symbol.qualified_name}`,
    label: symbol.qualified_name,
    description: `${symbol.repository_name} · ${symbol.path}:${symbol.start_line}`,
    leftSection: <IconVariable size={18} stroke={1.75} />,
    onClick: () =>
      void navigate({
        to: "/o/$organization/code/$repositoryId",
        params: { organization: organization.slug, repositoryId: symbol.repository_id },
        search: { path: symbol.path, branch: symbol.branch, lines: `${symbol.start_line}-${symbol.end_line}` },
      }),
  }));
}
