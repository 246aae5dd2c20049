import { Trans, useLingui } from "@lingui/react/macro";
import { Button, Stack } from "@mantine/core";
import { IconDownload, IconHistoryOff, IconShieldCheck } from "@tabler/icons-react";
import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { EmptyState } from "@/components/EmptyState";
import { ListSkeleton } from "@/components/ListSkeleton";
import { Page } from "@/components/Page";
import { ProblemAlert } from "@/components/ProblemAlert";
import { useNotice } from "@/components/use-notice";
import { administers } from "@/members/roles";
import { useScope } from "@/organizations/scope";
import { auditFilter } from "./address";
import { AuditFilters } from "./AuditFilters";
import { AuditTable } from "./AuditTable";
import { auditEventsQuery, useExportAuditEvents, useVerifyAuditLog } from "./queries";
import { Verification } from "./Verification";

const route = getRouteApi("/shell/o/$organization/audit");

export function AuditPage() {
  const { t } = useLingui();
  const { organization } = useScope();
  const search = route.useSearch();
  const filter = auditFilter(search);
  const mayRead = administers(organization.role);
  const query = useInfiniteQuery({ ...auditEventsQuery(organization.id, filter), enabled: mayRead });
  const download = useExportAuditEvents(organization.id, filter);
  const verify = useVerifyAuditLog(organization.id);
  const notice = useNotice();
  const events = query.data?.pages.flatMap((page) => page.items);

  if (!mayRead) {
    return (
      <Page title={t`Audit log`}>
        <EmptyState icon={<IconHistoryOff size={28} stroke={1.5} />} title={<Trans>Administrators and owners read the audit log</Trans>} />
      </Page>
    );
  }
  const actions = (
    <>
      <Button variant="default" leftSection={<IconShieldCheck size={14} />} loading={verify.isPending} onClick={() => verify.mutate()}>
        <Trans>Verify</Trans>
      </Button>
      <Button
        variant="default"
        leftSection={<IconDownload size={14} />}
        loading={download.isPending}
        onClick={() => download.mutate(undefined, { onError: notice.failed })}
      >
        <Trans>Export</Trans>
      </Button>
    </>
  );
  return (
    <Page title={t`Audit log`} actions={actions}>
      <Stack gap="sm">
        {verify.isError && <ProblemAlert error={verify.error} />}
        {verify.data && <Verification answer={verify.data} />}
        <AuditFilters />
        {query.isError && <ProblemAlert error={query.error} onRetry={() => void query.refetch()} />}
        {query.isPending && <ListSkeleton rows={12} />}
        {events?.length === 0 && (
          <EmptyState icon={<IconHistoryOff size={28} stroke={1.5} />} title={<Trans>No event matches the filters</Trans>}>
            <Trans>Every change to the organization is written down here, with who did it and from where.</Trans>
          </EmptyState>
        )}
        {events && events.length > 0 && <AuditTable events={events} />}
        {query.hasNextPage && (
          <Button variant="default" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            <Trans>Show older events</Trans>
          </Button>
        )}
      </Stack>
    </Page>
  );
}
