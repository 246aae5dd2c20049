// The keys that work everywhere, and the list that `?` shows.
import { Trans, useLingui } from "@lingui/react/macro";
import { Group, Kbd, Modal, Table, Text } from "@mantine/core";
import { useHotkeys } from "@mantine/hooks";
import { spotlight } from "@mantine/spotlight";
import type { ReactNode } from "react";
import { useKeys } from "@/components/use-keys";
import { focusSearchBox } from "./search-box-focus";
import { openShortcuts, shortcutsOpen } from "./shortcuts-store";

const modifier = /mac|iphone|ipad/i.test(navigator.userAgent) ? "⌘" : "Ctrl";

export function Shortcuts() {
  const { t } = useLingui();
  const opened = shortcutsOpen.use();
  useKeys({ "/": focusSearchBox, "?": openShortcuts });
  useHotkeys([["mod+K", spotlight.open]], []);

  return (
    <Modal
      opened={opened}
      onClose={() => shortcutsOpen.set(false)}
      title={<Trans>Keyboard shortcuts</Trans>}
      closeButtonProps={{ "aria-label": t`Close` }}
    >
      <Table withRowBorders={false} verticalSpacing={6}>
        <Table.Tbody>
          <Row keys={["/"]} does={<Trans>Go to the search box</Trans>} />
          <Row keys={[modifier, "K"]} does={<Trans>Open the palette</Trans>} />
          <Row keys={["j"]} does={<Trans>Next row of a list</Trans>} />
          <Row keys={["k"]} does={<Trans>Previous row of a list</Trans>} />
          <Row keys={["Enter"]} does={<Trans>Open the row</Trans>} />
          <Row keys={["e"]} does={<Trans>Explain the ranking (on Search)</Trans>} />
          <Row keys={["y"]} does={<Trans>Copy a permalink (on Code)</Trans>} />
          <Row keys={["c"]} does={<Trans>Copy the lines as a citation (on Code)</Trans>} />
          <Row keys={["s"]} does={<Trans>Jump to a symbol (on Code)</Trans>} />
          <Row keys={["?"]} does={<Trans>Show this list</Trans>} />
        </Table.Tbody>
      </Table>
    </Modal>
  );
}

function Row({ keys, does }: { keys: string[]; does: ReactNode }) {
  return (
    <Table.Tr>
      <Table.Td w={110}>
        <Group gap={4}>
          {keys.map((key) => (
            <Kbd key={key}>{key}</Kbd>
          ))}
        </Group>
      </Table.Td>
      <Table.Td>
        <Text size="sm">{does}</Text>
      </Table.Td>
    </Table.Tr>
  );
}
