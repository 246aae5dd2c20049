// Which branch, and which of its snapshots, is read.
import { useLingui } from "@lingui/react/macro";
import { Select, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { formatAge } from "@/format/time";
import { shortCommit } from "@/format/number";
import { branchesQuery } from "@/repositories/queries";
import { snapshotsQuery } from "@/snapshots/queries";
import { useCodeAddress } from "./use-code-address";

const CURRENT = "current";

export function RevisionPicker({ repositoryId }: { repositoryId: string }) {
  const { t, i18n } = useLingui();
  const { search, go } = useCodeAddress();
  const { data: branches = [] } = useQuery(branchesQuery(repositoryId));
  const branch = branches.find((one) => one.name === search.branch) ?? branches.find((one) => one.is_default) ?? branches[0];
  const { data: snapshots = [] } = useQuery({ ...snapshotsQuery(branch?.id ?? ""), enabled: branch !== undefined });
  const pinned = snapshots.find((one) => one.snapshot_id === search.snapshot || one.commit === search.commit);
  const older = snapshots.filter((one) => one.snapshot_id !== branch?.published?.snapshot_id);
  const isCurrent = !pinned || pinned.snapshot_id === branch?.published?.snapshot_id;

  return (
    <Stack gap={6}>
      <Select
        size="xs"
        aria-label={t`Branch`}
        allowDeselect={false}
        searchable
        data={branches.map((one) => one.name)}
        value={branch?.name ?? null}
        onChange={(name) => go({ branch: name ?? undefined, snapshot: undefined, commit: undefined, lines: undefined })}
      />
      <Select
        size="xs"
        aria-label={t`Snapshot`}
        allowDeselect={false}
        data={[
          {
            value: CURRENT,
            label: branch?.published ? t`current: ${shortCommit(branch.published.commit)}` : t`current`,
          },
          ...older.map((one) => ({
            value: String(one.snapshot_id),
            label: `${shortCommit(one.commit)} · ${one.published_at ? formatAge(one.published_at, i18n.locale) : one.snapshot_id}`,
          })),
        ]}
        value={isCurrent ? CURRENT : String(pinned.snapshot_id)}
        onChange={(value) =>
          go({ snapshot: value === CURRENT ? undefined : Number(value), commit: undefined, branch: branch?.name, lines: undefined })
        }
      />
    </Stack>
  );
}
