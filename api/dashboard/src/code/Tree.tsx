// The tree, one level at a time. Directories on the way to the open file are open.
import { Trans, useLingui } from "@lingui/react/macro";
import { Skeleton, Text, Tooltip, UnstyledButton } from "@mantine/core";
import { IconChevronDown, IconChevronRight, IconFile, IconFileOff, IconFolder } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import type { TreeEntry } from "@/api/types";
import { ProblemAlert } from "@/components/ProblemAlert";
import { LIST_ITEM, useListKeys } from "@/components/use-list-keys";
import { reasonLabel } from "@/snapshots/reasons";
import { treeQuery } from "./queries";
import classes from "./Tree.module.css";
import { useCodeAddress } from "./use-code-address";

export function Tree({ onOpen }: { onOpen: () => void }) {
  const { t } = useLingui();
  const list = useRef<HTMLElement>(null);
  useListKeys(list);
  return (
    <nav ref={list} aria-label={t`Files`} className={classes.tree}>
      <Level path="" depth={0} onOpen={onOpen} />
    </nav>
  );
}

function Level({ path, depth, onOpen }: { path: string; depth: number; onOpen: () => void }) {
  const { repositoryId, revision } = useCodeAddress();
  const query = useQuery(treeQuery(repositoryId, path, revision));
  if (query.isError) return <ProblemAlert error={query.error} onRetry={() => void query.refetch()} />;
  if (!query.data) return <Skeleton height={14} my={6} ml={12 + depth * 14} width="60%" />;
  if (query.data.entries.length === 0) {
    return <Text size="xs" c="dimmed" px={12}><Trans>This directory is empty.</Trans></Text>;
  }
  return query.data.entries.map((entry) =>
    entry.kind === "directory" ? (
      <Directory key={entry.path} entry={entry} depth={depth} onOpen={onOpen} />
    ) : (
      <File key={entry.path} entry={entry} depth={depth} onOpen={onOpen} />
    ),
  );
}

function Directory({ entry, depth, onOpen }: { entry: TreeEntry; depth: number; onOpen: () => void }) {
  const { path } = useCodeAddress();
  const isOnTheWay = path.startsWith(`${entry.path}/`);
  const [chosen, setChosen] = useState<{ at: string; open: boolean } | null>(null);
  const open = chosen?.at === path || !isOnTheWay ? (chosen?.open ?? isOnTheWay) : true;
  const Chevron = open ? IconChevronDown : IconChevronRight;
  return (
    <>
      <UnstyledButton
        className={classes.entry}
        style={{ paddingLeft: 8 + depth * 14 }}
        aria-expanded={open}
        onClick={() => setChosen({ at: path, open: !open })}
        {...LIST_ITEM}
      >
        <Chevron size={14} stroke={1.75} />
        <IconFolder size={15} stroke={1.5} />
        <span className={classes.name}>{entry.name}</span>
      </UnstyledButton>
      {open && <Level path={entry.path} depth={depth + 1} onOpen={onOpen} />}
    </>
  );
}

function File({ entry, depth, onOpen }: { entry: TreeEntry; depth: number; onOpen: () => void }) {
  const { t, i18n } = useLingui();
  const { path, go } = useCodeAddress();
  const skipped = entry.status === "skipped";
  const button = (
    <UnstyledButton
      className={classes.entry}
      style={{ paddingLeft: 8 + 14 + depth * 14 }}
      aria-current={entry.path === path ? "page" : undefined}
      data-skipped={skipped || undefined}
      onClick={() => {
        go({ path: entry.path, lines: undefined });
        onOpen();
      }}
      {...LIST_ITEM}
    >
      {skipped ? <IconFileOff size={15} stroke={1.5} /> : <IconFile size={15} stroke={1.5} />}
      <span className={classes.name}>{entry.name}</span>
    </UnstyledButton>
  );
  if (!skipped) return button;
  const reason = reasonLabel(entry.reason ?? "", (message) => i18n._(message));
  return <Tooltip label={t`Not indexed: ${reason}`}>{button}</Tooltip>;
}
