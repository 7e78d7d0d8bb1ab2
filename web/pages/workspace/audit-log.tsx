import { Box, Button, Group, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type UseInfiniteQueryResult, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Fragment, type ReactNode, useId } from 'react';
import type { AuditEntry } from '../../../src/contract/audit.ts';
import { auditQuery, filteredOperatorAuditQuery } from '../../api/audit-queries.ts';
import { membersQuery } from '../../api/queries.ts';
import { Icon } from '../../parts/icons.tsx';
import { MoreButton } from '../../parts/lists/more-button.tsx';
import { Failure, Loading } from '../../parts/states.tsx';
import { TimeAgo } from '../../parts/time.tsx';
import { AuditFilters, useAuditSearch } from './audit-filters.tsx';
import { type Series, seriesOf, seriesText } from './audit-series.ts';

export function AuditLog({ workspaceId }: { workspaceId: string }) {
  const state = useAuditSearch();
  const people = useQuery(membersQuery(workspaceId)).data?.items ?? [];
  const query = useInfiniteQuery(auditQuery(workspaceId, state.filters));
  return <AuditEntries title="Audit log" state={state} people={people} query={query} />;
}

export function OperatorAuditLog() {
  const state = useAuditSearch();
  const query = useInfiniteQuery(filteredOperatorAuditQuery(state.filters));
  return <AuditEntries title="Operator audit log" state={state} people={[]} query={query} />;
}

interface AuditEntriesProps {
  readonly title: string;
  readonly state: ReturnType<typeof useAuditSearch>;
  readonly people: readonly { readonly id: string; readonly name: string }[];
  readonly query: UseInfiniteQueryResult<{ pages: { items: AuditEntry[] }[] }>;
}

function AuditEntries({ title, state, people, query }: AuditEntriesProps) {
  const entries = query.data?.pages.flatMap(({ items }) => items) ?? [];
  return (
    <Box component="section" className="panel" p="lg" aria-label={title}>
      <Title order={2} size="h5" mb="sm">
        {title}
      </Title>
      <AuditFilters state={state} people={people} entries={entries} />
      {query.isPending && <Loading rows={3} />}
      {query.error && <Failure error={query.error} retry={() => void query.refetch()} />}
      {query.data && entries.length === 0 && (
        <Text size="sm" c="dimmed" role="status">
          {state.isFiltered ? 'No entries match these filters.' : 'No entries yet.'}
        </Text>
      )}
      {seriesOf(entries, query.hasNextPage).map((series) => (
        <SeriesRow key={keyOf(series)} series={series} />
      ))}
      <MoreButton label="Show earlier entries" query={query} />
    </Box>
  );
}

/** The end that does not grow: new entries come first, and earlier ones are loaded last. */
function keyOf({ entries, isOpen }: Series): string {
  return (isOpen ? entries[0] : entries.at(-1))?.id ?? '';
}

function SeriesRow({ series }: { series: Series }) {
  const [isOpen, { toggle }] = useDisclosure();
  const listId = useId();
  const { entries } = series;
  const [newest] = entries;
  if (entries.length === 1) return <Entry entry={newest} />;
  return (
    <Box className="field">
      <Row
        text={seriesText(series) + outcomeText(newest)}
        facts={[spanText(newest.at, entries.at(-1)?.at ?? newest.at)]}
        time={newest.at}
      >
        <Button
          size="compact-xs"
          variant="subtle"
          mt={2}
          ml={-8}
          aria-expanded={isOpen}
          aria-controls={listId}
          leftSection={<Icon name={isOpen ? 'up' : 'down'} size={14} />}
          onClick={toggle}
        >
          {isOpen ? 'Hide entries' : `Show ${entries.length} entries`}
        </Button>
      </Row>
      <Box id={listId} pl="md">
        {isOpen && entries.map((entry) => <Entry key={entry.id} entry={entry} />)}
      </Box>
    </Box>
  );
}

function Entry({ entry }: { entry: AuditEntry }) {
  const changes = Object.entries(entry.changes)
    .filter(([name, value]) => !isSaid(name, value, entry.text))
    .map(([name, value]) => `${name.replaceAll('_', ' ')}: ${valueText(value)}`);
  const from = entry.address === null ? [] : [`from ${entry.address}`];
  const email = entry.actor.kind === 'person' ? [entry.actor.name] : [];
  return (
    <Box className="field">
      <Row text={entry.text + outcomeText(entry)} facts={[...email, ...from, ...changes]} time={entry.at} />
    </Box>
  );
}

interface RowProps {
  readonly text: string;
  readonly facts: readonly string[];
  readonly time: string;
  readonly children?: ReactNode;
}

function Row({ text, facts, time, children }: RowProps) {
  return (
    <Group justify="space-between" wrap="nowrap" align="flex-start" py={8}>
      <Box miw={0}>
        <Text size="sm" className="wrap">
          {text}
        </Text>
        {facts.length > 0 && (
          <Text size="xs" c="dimmed" className="wrap">
            {facts.map((fact, place) => (
              <Fragment key={fact}>
                {place > 0 && ' · '}
                {/* A value is as someone typed it, and may be written from right to left. */}
                <bdi>{shortened(fact)}</bdi>
              </Fragment>
            ))}
          </Text>
        )}
        {children}
      </Box>
      <Text size="xs" c="dimmed" component="div">
        <TimeAgo time={time} size="xs" />
      </Text>
    </Group>
  );
}

/** What the sentence names already, by name or ID, and what the log does not keep. */
function isSaid(name: string, value: unknown, text: string): boolean {
  return name.endsWith('_id') || value === '…' || (typeof value === 'string' && text.includes(value));
}

const factCharactersMax = 200;

function shortened(fact: string): string {
  return fact.length > factCharactersMax ? `${fact.slice(0, factCharactersMax)}…` : fact;
}

function outcomeText({ outcome }: AuditEntry): string {
  return outcome === 'unknown' ? ' (it is not known whether this succeeded)' : '';
}

const dayAndHours = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });

/** "15 Nov 2026, 10:02 – 10:09" */
function spanText(newest: string, oldest: string): string {
  return dayAndHours.formatRange(new Date(oldest), new Date(newest));
}

function valueText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
