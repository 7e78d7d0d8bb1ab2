import type { Destination } from '../../../../src/contract/destinations/destinations.ts';
import { newDestinationDefaults as defaults } from '../../../../src/contract/destinations/terms.ts';
import { type ConditionRow, conditionOf, conditionRowOf } from './condition.ts';
import { type MappingDraftRow, mappingRowOf, rowOf } from './mapping.ts';

/** A header of the user's own. Values that are stored are never shown. */
export interface HeaderRow {
  readonly name: string;
  readonly value: string;
}

/** Only one of both lists is there, as in the API, so that its errors name the rows of the draft. */
export type FilterDraft = { readonly all: ConditionRow[] } | { readonly any: ConditionRow[] };

/** A destination while it is edited. */
export type DestinationDraft = {
  name: string;
  url: string;
  /** Null: those that are stored stay. */
  headers: HeaderRow[] | null;
  /** Null: all forms. */
  form_ids: string[] | null;
  events: Destination['events'];
  filter: FilterDraft;
  format: Destination['format'];
  mapping: MappingDraftRow[];
  send_when: Destination['send_when'];
  wait_max_s: number;
  per_second: number;
  secret: string;
};

export function newDraft(): DestinationDraft {
  return {
    name: '',
    url: '',
    headers: [],
    form_ids: null,
    events: [...defaults.events],
    filter: { all: defaults.filter.all.map(conditionRowOf) },
    format: defaults.format,
    mapping: [],
    send_when: defaults.sendWhen,
    wait_max_s: defaults.waitMaxSeconds,
    per_second: defaults.perSecond,
    secret: '',
  };
}

export function draftOf(destination: Destination): DestinationDraft {
  const { name, url, form_ids, events, filter, format, mapping } = destination;
  const { send_when, wait_max_s, per_second } = destination;
  return {
    name,
    url,
    headers: null,
    form_ids,
    events,
    filter:
      filter.any === undefined
        ? { all: filter.all.map(conditionRowOf) }
        : { any: filter.any.map(conditionRowOf) },
    format,
    mapping: mapping.map(mappingRowOf),
    send_when,
    wait_max_s,
    per_second,
    secret: '',
  };
}

export function conditionsOf(filter: FilterDraft): { match: 'all' | 'any'; rows: ConditionRow[] } {
  return 'any' in filter ? { match: 'any', rows: filter.any } : { match: 'all', rows: filter.all };
}

/** Which leads, and what is sent of them: all that a dry run needs. */
export function selectionOf(draft: Pick<DestinationDraft, 'form_ids' | 'filter' | 'format' | 'mapping'>) {
  const { form_ids, filter, format, mapping } = draft;
  return {
    form_ids: form_ids !== null && form_ids.length === 0 ? null : form_ids,
    filter: 'any' in filter ? { any: filter.any.map(conditionOf) } : { all: filter.all.map(conditionOf) },
    format,
    // Another format does not use it, and it stays as it is stored.
    ...(format === 'mapped' ? { mapping: mapping.map(rowOf) } : {}),
  };
}

/** The settings to save. Headers that are not edited are left out, and so stay as they are. */
export function settingsOf(draft: Omit<DestinationDraft, 'secret'>) {
  const { name, url, events, send_when, wait_max_s, per_second, headers } = draft;
  return {
    name,
    url: url.trim(),
    events,
    send_when,
    wait_max_s,
    per_second,
    ...selectionOf(draft),
    ...(headers === null ? {} : { headers: headersOf(headers) }),
  };
}

/** Rows that are still empty are left out. */
function headersOf(rows: readonly HeaderRow[]): Record<string, string> {
  const filled = rows.filter(({ name, value }) => name.trim() !== '' || value !== '');
  return Object.fromEntries(filled.map(({ name, value }) => [name.trim(), value]));
}
