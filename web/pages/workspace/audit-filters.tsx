import { Button, Group, Select } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { AuditEntry, AuditGroup, AuditInput } from '../../../src/contract/audit.ts';
import { DayInput, dayStart } from '../../parts/lists/day-input.tsx';
import type { AuditSearch } from '../../search.ts';

const groupNames: Readonly<Record<AuditGroup, string>> = {
  account: 'Sign-ins and accounts',
  workspace: 'Workspace',
  people: 'People and invitations',
  forms: 'Forms and webhook secrets',
  tokens: 'Ingest tokens',
  keys: 'API keys',
  destinations: 'Destinations and deliveries',
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
  const filters: AuditInput = given({ actor, action, from: dayStart(from, 0), to: dayStart(to, 1) });
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
      <DayInput label="From" day={search.from} onChange={(from) => change({ from })} />
      <DayInput label="To" day={search.to} onChange={(to) => change({ to })} />
      {isFiltered && (
        <Button size="xs" variant="subtle" color="gray" onClick={clear}>
          Clear filters
        </Button>
      )}
    </Group>
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
