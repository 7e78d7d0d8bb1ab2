import { Button, Group, Select, Text, TextInput } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import type { AuditEntry, AuditGroup, AuditInput } from '../../../src/contract/audit.ts';
import type { AuditSearch } from '../../search.ts';

const groupNames: Readonly<Record<AuditGroup, string>> = {
  account: 'Sign-ins and accounts',
  workspace: 'Workspace',
  people: 'People and invitations',
  forms: 'Forms and webhook secrets',
  tokens: 'Ingest tokens',
  keys: 'API keys',
  leads: 'Leads',
  scoring: 'Scoring',
  enrichment: 'Enrichment',
  diagnostics: 'Signature debugger',
  operator: 'Operator',
  refused: 'Refused attempts',
};

/** The filters are in the URL, so that a link or the back button restores the same view. */
export function useAuditSearch() {
  const search: AuditSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  const { actor, action, from, to } = search;
  const change = (values: AuditSearch) =>
    void navigate({ to: '.', search: (before) => ({ ...before, ...values }), resetScroll: false });
  // A URL can hold anything; the API refuses what is not a filter.
  const filters: AuditInput = given({ actor, action, from: startOf(from, 0), to: startOf(to, 1) });
  return {
    search: { actor, action, from, to },
    filters,
    change,
    clear: () => change({ actor: undefined, action: undefined, from: undefined, to: undefined }),
    isFiltered: Object.keys(filters).length > 0,
  };
}

function given(filters: AuditInput): AuditInput {
  return Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined));
}

/** The start of a day on this clock, or of one of the days after it. Anything else is left to the API. */
function startOf(day: string | undefined, daysLater: number): string | undefined {
  if (day === undefined || !/^\d{4}-\d\d-\d\d$/.test(day)) return day;
  const time = new Date(`${day}T00:00:00`);
  time.setDate(time.getDate() + daysLater);
  return Number.isNaN(time.getTime()) ? day : time.toISOString();
}

interface AuditFiltersProps {
  readonly state: ReturnType<typeof useAuditSearch>;
  /** Who may have done something. */
  readonly people: readonly { readonly id: string; readonly name: string }[];
  /** Those who did may no longer be here. */
  readonly entries: readonly AuditEntry[];
}

export function AuditFilters({ state, people, entries }: AuditFiltersProps) {
  const { search, change, clear, isFiltered } = state;
  const select = { size: 'xs', clearable: true, searchable: true, w: { base: '100%', xs: 200 } } as const;
  return (
    <Group gap="xs" mb="sm" role="group" aria-label="Filters of the audit log">
      <Select
        {...select}
        aria-label="Person"
        placeholder="Everyone"
        data={actorsOf(people, entries, search.actor)}
        value={search.actor ?? null}
        onChange={(actor) => change({ actor: actor ?? undefined })}
      />
      <Select
        {...select}
        aria-label="Action"
        placeholder="All actions"
        data={actionsOf(search.action)}
        value={search.action ?? null}
        onChange={(action) => change({ action: action ?? undefined })}
      />
      <Day label="From" day={search.from} onChange={(from) => change({ from })} />
      <Day label="To" day={search.to} onChange={(to) => change({ to })} />
      {isFiltered && (
        <Button size="xs" variant="subtle" color="gray" onClick={clear}>
          Clear filters
        </Button>
      )}
    </Group>
  );
}

interface DayProps {
  readonly label: string;
  readonly day: string | undefined;
  onChange(day: string | undefined): void;
}

/** A year is typed digit by digit, so the first ones are not a filter yet. */
const yearMin = '2000';

function Day({ label, day, onChange }: DayProps) {
  const shown = day?.slice(0, 10) ?? '';
  const [text, setText] = useState(shown);
  useEffect(() => setText(shown), [shown]);
  return (
    <TextInput
      size="xs"
      type="date"
      w={{ base: '100%', xs: 176 }}
      aria-label={label}
      leftSection={<Text size="xs">{label}</Text>}
      leftSectionWidth={48}
      value={text}
      onChange={({ currentTarget: { value } }) => {
        setText(value);
        if (value === '' || value >= yearMin) onChange(value || undefined);
      }}
    />
  );
}

const others = { operator_key: 'The operator', nobody: 'Not signed in' } as const;

function actorsOf(
  people: AuditFiltersProps['people'],
  entries: AuditFiltersProps['entries'],
  chosen: string | undefined,
) {
  const names = new Map<string, string>(people.map(({ id, name }) => [id, name]));
  for (const { actor } of entries)
    if (actor.id !== null && !names.has(actor.id))
      names.set(actor.id, actor.kind === 'api_key' ? `API key ${actor.name}` : actor.name);
  for (const [kind, name] of Object.entries(others)) names.set(kind, name);
  if (chosen !== undefined && !names.has(chosen)) names.set(chosen, `Person ${chosen.slice(-8)}`);
  return [...names].map(([value, label]) => ({ value, label }));
}

function actionsOf(chosen: string | undefined) {
  const groups = Object.entries(groupNames).map(([value, label]) => ({ value, label }));
  const isKnown = chosen === undefined || chosen in groupNames;
  return isKnown ? groups : [...groups, { value: chosen, label: chosen }];
}
