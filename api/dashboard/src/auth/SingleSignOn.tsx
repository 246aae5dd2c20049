// The identity providers of an address's domain. The server answers by the domain alone, so nobody learns who has an account.
import { Trans } from "@lingui/react/macro";
import { Button, Divider, Stack } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { IconFingerprint } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { methodsQuery } from "./queries";

interface Props {
  email: string;
  redirect?: string;
}

const TYPING_MS = 300;

export function SingleSignOn({ email, redirect }: Props) {
  const [typed] = useDebouncedValue(email.trim(), TYPING_MS);
  const { data } = useQuery({ ...methodsQuery(typed), enabled: /^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(typed) });
  if (!data || data.identity_providers.length === 0) return null;
  return (
    <Stack gap="sm">
      <Divider label={<Trans>or</Trans>} />
      {data.identity_providers.map((provider) => (
        <Button
          key={provider.id}
          component="a"
          variant="default"
          size="sm"
          leftSection={<IconFingerprint size={16} />}
          href={`${provider.start_url}?redirect=${encodeURIComponent(redirect ?? "/")}`}
        >
          <Trans>Continue with {provider.name} ({provider.organization_name})</Trans>
        </Button>
      ))}
    </Stack>
  );
}
