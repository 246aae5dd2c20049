// What an invitation link opens: the offer, and two ways to take it.
import { Trans, useLingui } from "@lingui/react/macro";
import { Alert, Button, Stack, Text } from "@mantine/core";
import { IconLinkOff } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { ApiError } from "@/api/problem";
import { session } from "@/api/session";
import type { OfferResponse } from "@/api/types";
import { Entrance } from "@/components/Entrance";
import { ListSkeleton } from "@/components/ListSkeleton";
import { ProblemAlert } from "@/components/ProblemAlert";
import { useFragment } from "@/components/use-fragment";
import { formatTime } from "@/format/time";
import { useOrganizationRoles } from "@/members/roles";
import { JoinAsNew } from "./JoinAsNew";
import { JoinAsSelf } from "./JoinAsSelf";
import { offerQuery } from "./queries";

/** Nobody has to be signed in here, but somebody may be. */
const signedInQuery = {
  queryKey: ["signed-in"],
  queryFn: async () => session.accessToken !== null || (await session.refresh().catch(() => false)),
  staleTime: Infinity,
  gcTime: 0,
};

export function JoinPage() {
  const { t } = useLingui();
  const token = useFragment();
  const offer = useQuery({ ...offerQuery(token), enabled: token !== "" });
  const signedIn = useQuery(signedInQuery);
  const isGone = token === "" || (offer.error instanceof ApiError && offer.error.status === 404);

  return (
    <Entrance title={offer.data ? t`Join ${offer.data.organization}` : t`Invitation`}>
      {isGone ? (
        <Alert color="yellow" icon={<IconLinkOff size={18} />} title={t`This invitation cannot be used`} role="alert">
          <Trans>It was used, revoked or has ended, or the link is not whole. Ask whoever invited you for a new one.</Trans>
        </Alert>
      ) : offer.isError ? (
        <ProblemAlert error={offer.error} onRetry={() => void offer.refetch()} />
      ) : offer.data && signedIn.data !== undefined ? (
        <Offer token={token} offer={offer.data} isSignedIn={signedIn.data} />
      ) : (
        <ListSkeleton rows={3} />
      )}
    </Entrance>
  );
}

function Offer({ token, offer, isSignedIn }: { token: string; offer: OfferResponse; isSignedIn: boolean }) {
  const { i18n } = useLingui();
  const roles = useOrganizationRoles();
  const navigate = useNavigate();
  const joined = () => void navigate({ to: "/", replace: true });
  const role = roles[offer.role];
  return (
    <Stack gap="md">
      <Text size="sm">
        <Trans>
          You are invited as <b>{role.label}</b>.
        </Trans>{" "}
        {role.meaning}
      </Text>
      {isSignedIn ? <JoinAsSelf token={token} offer={offer} onJoined={joined} /> : <JoinAsNew token={token} offer={offer} onJoined={joined} />}
      {!isSignedIn && (
        <Button
          variant="default"
          size="sm"
          renderRoot={(props) => <Link to="/login" search={{ redirect: "/join" }} hash={token} {...props} />}
        >
          <Trans>I have an account: sign in</Trans>
        </Button>
      )}
      <Text size="xs" c="dimmed">
        <Trans>The invitation ends {formatTime(offer.expires_at, i18n.locale)}.</Trans>
      </Text>
    </Stack>
  );
}
