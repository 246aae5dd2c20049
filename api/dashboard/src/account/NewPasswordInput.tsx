// A new password, with how strong it is.
import { Trans, useLingui } from "@lingui/react/macro";
import { Group, PasswordInput, Progress, Stack, Text } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useEffect, useState } from "react";
import { LEAST_CHARACTERS, LEAST_SCORE, scorePassword } from "./strength";

interface Props {
  label: string;
  value: string;
  error?: string | null;
  known: string[];
  onChange: (value: string) => void;
}

const COLORS = ["red", "red", "orange", "green", "green"];

export function NewPasswordInput({ label, value, error, known, onChange }: Props) {
  const { t } = useLingui();
  const score = useScore(value, known);
  const words = [t`very weak`, t`weak`, t`not strong enough`, t`strong`, t`very strong`];
  return (
    <Stack gap={6}>
      <PasswordInput
        label={label}
        name="new-password"
        autoComplete="new-password"
        visibilityToggleButtonProps={{ "aria-label": t`Show or hide the password` }}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        error={error}
      />
      {value && score !== undefined && (
        <Group gap={8} wrap="nowrap" role="status">
          <Progress flex={1} size="sm" value={25 * Math.max(score, 0.4)} color={COLORS[score]} aria-hidden />
          <Text size="xs">{words[score]}</Text>
        </Group>
      )}
      {score !== undefined && value && score < LEAST_SCORE && (
        <Text size="xs" c="dimmed">
          <Trans>At least {LEAST_CHARACTERS} characters. Four words that do not belong together are strong and easy to keep.</Trans>
        </Text>
      )}
    </Stack>
  );
}

function useScore(value: string, known: string[]) {
  const [typed] = useDebouncedValue(value, 150);
  const words = known.join("\n");
  const [score, setScore] = useState<number>();
  useEffect(() => {
    let isCurrent = true;
    void scorePassword(typed, words.split("\n")).then((found) => isCurrent && setScore(found));
    return () => {
      isCurrent = false;
    };
  }, [typed, words]);
  return score;
}
