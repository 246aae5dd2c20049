// A problem inside a form or a panel: what happened, what to do next, and what the server said.
import { useLingui, Trans } from "@lingui/react/macro";
import { Alert, Button, Group, Stack, Text } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { ApiError } from "@/api/problem";
import { detailOf, sentenceOf } from "@/api/problem-messages";

interface Props {
  error: unknown;
  onRetry?: () => void;
}

export function ProblemAlert({ error, onRetry }: Props) {
  const { i18n } = useLingui();
  const sentence = sentenceOf(error);
  const detail = detailOf(error);
  const requestId = error instanceof ApiError ? error.requestId : null;
  return (
    <Alert color="red" icon={<IconAlertTriangle size={18} />} title={i18n._(sentence.title)} role="alert">
      <Stack gap={8}>
        <Text size="sm">{i18n._(sentence.next)}</Text>
        {detail && (
          <Text size="xs" ff="monospace" style={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>
            {detail}
          </Text>
        )}
        {(onRetry || (requestId && isServerFault(error))) && (
          <Group gap="sm">
            {onRetry && (
              <Button variant="default" onClick={onRetry}>
                <Trans>Retry</Trans>
              </Button>
            )}
            {requestId && isServerFault(error) && (
              <Text size="xs">
                <Trans>Request id: {requestId}</Trans>
              </Text>
            )}
          </Group>
        )}
      </Stack>
    </Alert>
  );
}

function isServerFault(error: unknown) {
  return error instanceof ApiError && error.status >= 500;
}
