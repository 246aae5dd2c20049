// A problem that the server has stored with a run, a job or a repository.
import { useLingui } from "@lingui/react/macro";
import { Alert, Text } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import type { ProblemSummary } from "@/api/types";
import { sentenceOfCode } from "@/api/problem-messages";

export function SummaryAlert({ problem }: { problem: ProblemSummary }) {
  const { i18n } = useLingui();
  const sentence = sentenceOfCode(problem.code);
  return (
    <Alert color="red" icon={<IconAlertTriangle size={18} />} title={i18n._(sentence.title)}>
      <Text size="sm">{i18n._(sentence.next)}</Text>
      {problem.message && (
        <Text size="xs" ff="monospace" mt={4} style={{ overflowWrap: "anywhere" }}>
          {problem.message}
        </Text>
      )}
    </Alert>
  );
}
