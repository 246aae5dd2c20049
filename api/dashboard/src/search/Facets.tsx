import { Trans, useLingui } from "@lingui/react/macro";
import { Button, Collapse, Stack, Text, UnstyledButton } from "@mantine/core";
import { useDisclosure, useMediaQuery } from "@mantine/hooks";
import type { MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";
import { IconCheck } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import type { SearchResponse } from "@/api/types";
import { useFormat } from "@/format/use-format";
import classes from "./Facets.module.css";
import { type FilterKey, findFilter, toggleFilter } from "./query-text";

type FacetCount = SearchResponse["facets"]["languages"][number];

interface Props {
  facets: SearchResponse["facets"];
  text: string;
  onChange: (text: string) => void;
}

const SHOWN = 8;
const TESTS: Record<string, MessageDescriptor> = { yes: msg`only tests`, no: msg`no tests` };

export function Facets(props: Props) {
  const small = useMediaQuery("(max-width: 48em)", undefined, { getInitialValueInEffect: false });
  const [open, { toggle }] = useDisclosure();
  if (!small) return <FacetLists {...props} />;
  return (
    <>
      <Button variant="default" size="xs" onClick={toggle} aria-expanded={open}>
        <Trans>Filters</Trans>
      </Button>
      <Collapse expanded={open}>
        <FacetLists {...props} />
      </Collapse>
    </>
  );
}

function FacetLists({ facets, text, onChange }: Props) {
  const { i18n } = useLingui();
  const toggle = (key: FilterKey) => (value: string) => onChange(toggleFilter(text, key, value));
  const isOn = (key: FilterKey) => (value: string) => findFilter(text, key, value) !== undefined;
  const tests = facets.tests.map((facet) => {
    const value = facet.value === "true" || facet.value === "yes" || facet.value === "test" ? "yes" : "no";
    const label = TESTS[value];
    return { ...facet, value, label: label ? i18n._(label) : value };
  });
  const repositories = facets.repositories.map((facet) => ({ ...facet, value: facet.label ?? facet.value }));
  return (
    <Stack gap="md">
      <FacetList title={<Trans>Repository</Trans>} counts={repositories} isOn={isOn("repo")} onToggle={toggle("repo")} />
      <FacetList title={<Trans>Language</Trans>} counts={facets.languages} isOn={isOn("lang")} onToggle={toggle("lang")} />
      <FacetList title={<Trans>Kind</Trans>} counts={facets.kinds} isOn={isOn("kind")} onToggle={toggle("kind")} />
      <FacetList title={<Trans>Tests</Trans>} counts={tests} isOn={isOn("test")} onToggle={toggle("test")} />
    </Stack>
  );
}

interface ListProps {
  title: ReactNode;
  counts: FacetCount[];
  isOn: (value: string) => boolean;
  onToggle: (value: string) => void;
}

function FacetList({ title, counts, isOn, onToggle }: ListProps) {
  const format = useFormat();
  const [all, setAll] = useState(false);
  if (counts.length === 0) return null;
  const shown = all ? counts : counts.slice(0, SHOWN);
  return (
    <section>
      <Text size="xs" fw={600} c="dimmed" px={8} mb={4}>{title}</Text>
      {shown.map((facet) => (
        <UnstyledButton
          key={facet.value}
          className={classes.facet}
          aria-pressed={isOn(facet.value)}
          onClick={() => onToggle(facet.value)}
        >
          <span className={classes.label}>{facet.label ?? facet.value}</span>
          {isOn(facet.value) && <IconCheck size={14} />}
          <span className={classes.count}>{format.count(facet.count)}</span>
        </UnstyledButton>
      ))}
      {counts.length > SHOWN && (
        <UnstyledButton className={classes.facet} onClick={() => setAll(!all)}>
          <Text size="xs" c="dimmed">
            {all ? <Trans>Show fewer</Trans> : <Trans>Show {counts.length - SHOWN} more</Trans>}
          </Text>
        </UnstyledButton>
      )}
    </section>
  );
}
