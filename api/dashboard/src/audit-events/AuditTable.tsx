import { Trans, useLingui } from "@lingui/react/macro";
import { Anchor, Code, Table, Text, Tooltip } from "@mantine/core";
import { getRouteApi, Link } from "@tanstack/react-router";
import type { AuditEventResponse } from "@/api/types";
import { DataTable } from "@/components/DataTable";
import { StateBadge } from "@/components/StateBadge";
import { LIST_ITEM } from "@/components/use-list-keys";
import { When } from "@/components/When";
import { useOutcomes } from "./outcomes";

const route = getRouteApi("/shell/o/$organization/audit");

export function AuditTable({ events }: { events: AuditEventResponse[] }) {
  const { t } = useLingui();
  return (
    <DataTable
      label={t`Events`}
      minWidth={980}
      columns={[
        { label: <Trans>When</Trans>, width: 130 },
        { label: <Trans>Who</Trans>, width: "20%" },
        { label: <Trans>Action</Trans>, width: 210 },
        { label: <Trans>Object</Trans> },
        { label: <Trans>Outcome</Trans>, width: 120 },
        { label: <Trans>From</Trans>, width: 130 },
      ]}
    >
      {events.map((event) => (
        <Row key={event.sequence} event={event} />
      ))}
    </DataTable>
  );
}

function Row({ event }: { event: AuditEventResponse }) {
  const { t } = useLingui();
  const { organization } = route.useParams();
  const search = route.useSearch();
  const outcome = useOutcomes()[event.outcome];
  const kinds = { person: t`somebody`, service: t`a service`, system: t`the server`, anonymous: t`nobody signed in` };
  const details = Object.entries(event.details as Record<string, unknown>).map(([name, value]) => `${name}: ${String(value)}`).join(", ");
  return (
    <Table.Tr>
      <Table.Td fz="xs"><When at={event.time} /></Table.Td>
      <Table.Td>
        <Text size="sm" truncate>{event.actor_name ?? kinds[event.actor_kind]}</Text>
        {event.credential_kind === "token" && <Text size="xs" c="dimmed"><Trans>with an API token</Trans></Text>}
      </Table.Td>
      <Table.Td>
        <Anchor
          ff="monospace"
          fz="xs"
          title={t`Show ${event.action} only`}
          renderRoot={(props) => (
            <Link to="/o/$organization/audit" params={{ organization }} search={{ ...search, action: event.action }} {...props} {...LIST_ITEM} />
          )}
        >
          {event.action}
        </Anchor>
      </Table.Td>
      <Table.Td>
        <Text size="sm" truncate title={event.object_id ?? undefined}>
          {event.object_name ?? event.object_id ?? "—"} <Text span size="xs" c="dimmed">{event.object_kind}</Text>
        </Text>
        {details && <Text size="xs" c="dimmed" truncate title={details}>{details}</Text>}
      </Table.Td>
      <Table.Td><StateBadge color={outcome.color} label={outcome.label} /></Table.Td>
      <Table.Td>
        <Tooltip label={t`Request ${event.request_id ?? "—"}`}>
          <Code fz="xs" bg="transparent" p={0}>{event.address ?? "—"}</Code>
        </Tooltip>
      </Table.Td>
    </Table.Tr>
  );
}
