import { Trans } from "@lingui/react/macro";
import { Button } from "@mantine/core";
import { IconMapOff } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { EmptyState } from "./EmptyState";

export function NotFound() {
  return (
    <EmptyState
      icon={<IconMapOff size={28} stroke={1.5} />}
      title={<Trans>There is nothing here, or you cannot see it</Trans>}
      action={
        <Button component={Link} to="/" variant="default">
          <Trans>Go to the start</Trans>
        </Button>
      }
    >
      <Trans>Check the address, or ask an administrator for access to the project.</Trans>
    </EmptyState>
  );
}
