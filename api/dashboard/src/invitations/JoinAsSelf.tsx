import { Trans, useLingui } from "@lingui/react/macro";
import { Button, Stack } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { session } from "@/api/session";
import type { OfferResponse } from "@/api/types";
import { ProblemAlert } from "@/components/ProblemAlert";
import { rememberJoinedOrganization } from "@/organizations/last-organization";
import { useAcceptInvitation } from "./queries";

interface Props {
  token: string;
  offer: OfferResponse;
  onJoined: () => void;
}

export function JoinAsSelf({ token, offer, onJoined }: Props) {
  const { t } = useLingui();
  const accept = useAcceptInvitation();
  const queryClient = useQueryClient();
  const called = session.user?.name || session.user?.email || t`yourself`;
  const join = () =>
    accept.mutate(
      { token },
      {
        onSuccess: async () => {
          rememberJoinedOrganization(offer.organization_id);
          await queryClient.invalidateQueries({ queryKey: ["me"] });
          onJoined();
        },
      },
    );
  return (
    <Stack gap="md">
      {accept.isError && <ProblemAlert error={accept.error} />}
      <Button size="sm" loading={accept.isPending} onClick={join}>
        <Trans>Join as {called}</Trans>
      </Button>
    </Stack>
  );
}
