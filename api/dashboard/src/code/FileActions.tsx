// Copying: a permalink that will always show the same lines, and a citation of them.
import { Trans, useLingui } from "@lingui/react/macro";
import { Button, Group } from "@mantine/core";
import { useClipboard } from "@mantine/hooks";
import { notifications } from "@mantine/notifications";
import { IconLink, IconQuote } from "@tabler/icons-react";
import { useRouter } from "@tanstack/react-router";
import type { FileResponse } from "@/api/types";
import { useKeys } from "@/components/use-keys";
import { useScope } from "@/organizations/scope";
import { formatLines, type LineRange } from "./address";
import { citationOf } from "./citation";
import { useCodeAddress } from "./use-code-address";

export function FileActions({ file, lines }: { file: FileResponse; lines: LineRange | null }) {
  const { t } = useLingui();
  const clipboard = useClipboard();
  const router = useRouter();
  const { organization } = useScope();
  const { repositoryId } = useCodeAddress();

  const permalink = () => {
    const { href } = router.buildLocation({
      to: "/o/$organization/code/$repositoryId",
      params: { organization: organization.slug, repositoryId },
      search: { path: file.path, branch: file.branch ?? undefined, commit: file.commit, lines: lines ? formatLines(lines) : undefined },
    });
    return new URL(href, location.origin).href;
  };
  const copyPermalink = () => {
    clipboard.copy(permalink());
    notifications.show({ message: t`Permalink copied` });
  };
  const copyCitation = () => {
    clipboard.copy(citationOf(file, lines, permalink()));
    notifications.show({ message: t`Citation copied` });
  };
  useKeys({ y: copyPermalink, c: copyCitation });

  return (
    <Group gap={6}>
      <Button size="compact-xs" variant="default" leftSection={<IconLink size={13} />} onClick={copyPermalink}>
        <Trans>Permalink</Trans>
      </Button>
      <Button size="compact-xs" variant="default" leftSection={<IconQuote size={13} />} onClick={copyCitation}>
        <Trans>Copy as citation</Trans>
      </Button>
    </Group>
  );
}
