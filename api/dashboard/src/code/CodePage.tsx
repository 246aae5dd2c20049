import { Trans, useLingui } from "@lingui/react/macro";
import { Box, Button, Drawer, Title, VisuallyHidden } from "@mantine/core";
import { useDisclosure, useDocumentTitle, useMediaQuery } from "@mantine/hooks";
import { IconListTree } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { NotFound } from "@/components/NotFound";
import { ApiError } from "@/api/problem";
import { repositoryQuery } from "@/repositories/queries";
import { CodeBar } from "./CodeBar";
import classes from "./CodePage.module.css";
import { DirectoryPane } from "./DirectoryPane";
import { FilePane } from "./FilePane";
import { RevisionPicker } from "./RevisionPicker";
import { Tree } from "./Tree";
import { useCodeAddress } from "./use-code-address";

export function CodePage() {
  const { t } = useLingui();
  const { repositoryId, path } = useCodeAddress();
  const { data: repository, error } = useQuery(repositoryQuery(repositoryId));
  const small = useMediaQuery("(max-width: 48em)", undefined, { getInitialValueInEffect: false });
  const [treeOpen, { open, close }] = useDisclosure();
  useDocumentTitle(`${path || (repository?.name ?? t`Code`)} · Quarry`);

  if (error instanceof ApiError && error.status === 404) return <NotFound />;
  const side = (
    <>
      <Box p={8}>
        <RevisionPicker repositoryId={repositoryId} />
      </Box>
      <Tree key={repositoryId} onOpen={close} />
    </>
  );
  return (
    <div className={classes.page}>
      <VisuallyHidden>
        <Title order={1}><Trans>Code of {repository?.name ?? ""}</Trans></Title>
      </VisuallyHidden>
      {small ? (
        <Drawer opened={treeOpen} onClose={close} title={<Trans>Files</Trans>} size="85%" closeButtonProps={{ "aria-label": t`Close` }}>
          {side}
        </Drawer>
      ) : (
        <aside className={classes.side} aria-label={t`Files`}>{side}</aside>
      )}
      <section className={classes.main}>
        {small && (
          <Button m={8} mb={0} variant="default" leftSection={<IconListTree size={14} />} onClick={open}>
            <Trans>Files</Trans>
          </Button>
        )}
        <CodeBar repositoryName={repository?.name ?? ""} />
        <Pane />
      </section>
    </div>
  );
}

/** A path is a directory when its parent lists it as one; the root always is. */
function Pane() {
  const { path } = useCodeAddress();
  return path === "" || path.endsWith("/") ? <DirectoryPane /> : <FilePane />;
}
