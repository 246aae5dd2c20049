// What the reader should know before trusting the hits.
import { Trans } from "@lingui/react/macro";
import { Alert, Stack, Text } from "@mantine/core";
import { IconAlertTriangle, IconInfoCircle } from "@tabler/icons-react";
import type { SearchResponse } from "@/api/types";

export function SearchNotices({ answer }: { answer: SearchResponse }) {
  if (answer.verdict === "ok" && answer.warnings.length === 0) return null;
  return (
    <Stack gap={8} mb={12}>
      {answer.verdict === "low_confidence" && (
        <Alert p="xs" color="yellow" icon={<IconAlertTriangle size={16} />} title={<Trans>These hits may not be what you look for</Trans>}>
          {answer.hint && <Text size="sm">{answer.hint}</Text>}
        </Alert>
      )}
      {answer.verdict === "no_match" && (
        <Alert p="xs" color="yellow" icon={<IconAlertTriangle size={16} />} title={<Trans>Nothing in the searched code matches this</Trans>}>
          {answer.hint && <Text size="sm">{answer.hint}</Text>}
        </Alert>
      )}
      {answer.warnings.map((warning) => (
        <Alert key={warning.code} p="xs" color="gray" icon={<IconInfoCircle size={16} />}>
          {warning.message}
        </Alert>
      ))}
    </Stack>
  );
}
