import type { Destination } from '../../../../src/contract/destinations/destinations.ts';
import { newDestinationDefaults as defaults } from '../../../../src/contract/destinations/terms.ts';
import { type ConditionRow, conditionRowOf } from '../../../parts/conditions/condition.ts';
import type { Kind, OfKind } from '../kinds/kind-words.ts';
import { emptyRow, type MappingDraftRow, mappingRowOf } from './mapping.ts';

/** A header of the user's own. Values that are stored are never shown. */
export interface HeaderRow {
  readonly name: string;
  readonly value: string;
}

/** Only one of both lists is there, as in the API, so that its errors name the rows of the draft. */
export type FilterDraft = { readonly all: ConditionRow[] } | { readonly any: ConditionRow[] };

/**
 * A destination while it is edited: of all kinds at the same time, with the names of the API. What its kind does not have is
 * not sent.
 */
export type DestinationDraft = {
  kind: Kind;
  name: string;
  /** Null: all forms. */
  form_ids: string[] | null;
  events: Destination['events'];
  filter: FilterDraft;
  send_when: Destination['send_when'];
  wait_max_s: number;
  /** Of a webhook, or of a chat: there null means that the stored one, which is a secret, stays. */
  url: string | null;
  /** Null: those that are stored stay. */
  headers: HeaderRow[] | null;
  format: OfKind<'webhook'>['format'];
  /** Of a webhook or of HubSpot. */
  mapping: MappingDraftRow[];
  per_second: number;
  secret: string;
  /** Addresses. */
  recipients: string[];
  every: OfKind<'email'>['every'];
  hour: number;
  time_zone: string;
  /** Of emails and of a chat. */
  link_only: boolean;
  service: OfKind<'chat'>['service'];
  /** Null: the stored one stays. */
  token: string | null;
};

const digestHour = 8;

export function newDraft(kind: Kind): DestinationDraft {
  return {
    kind,
    name: '',
    form_ids: null,
    events: [...defaults.events],
    filter: { all: defaults.filter.all.map(conditionRowOf) },
    send_when: defaults.sendWhen,
    wait_max_s: defaults.waitMaxSeconds,
    url: '',
    headers: [],
    format: defaults.format,
    // HubSpot finds contacts by their address.
    mapping: kind === 'hubspot' ? [{ ...emptyRow, from: 'email', to: 'email' }] : [],
    per_second: defaults.perSecond,
    secret: '',
    recipients: [],
    every: 'lead',
    hour: digestHour,
    time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    link_only: false,
    service: 'slack',
    token: '',
  };
}

/** Another kind, for the same leads. */
export function withKind(draft: DestinationDraft, kind: Kind, known: readonly string[]): DestinationDraft {
  const { name, form_ids, filter, send_when, wait_max_s } = draft;
  const events = draft.events.filter((type) => known.includes(type));
  return { ...newDraft(kind), name, form_ids, filter, send_when, wait_max_s, events };
}

export function draftOf(destination: Destination): DestinationDraft {
  const { kind, name, form_ids, events, filter, send_when, wait_max_s } = destination;
  return {
    ...newDraft(kind),
    name,
    form_ids,
    events,
    filter:
      filter.any === undefined
        ? { all: filter.all.map(conditionRowOf) }
        : { any: filter.any.map(conditionRowOf) },
    send_when,
    wait_max_s,
    ...ownDraftOf(destination),
  };
}

function ownDraftOf(destination: Destination): Partial<DestinationDraft> {
  switch (destination.kind) {
    case 'webhook': {
      const { url, format, mapping, per_second } = destination;
      return { url, headers: null, format, mapping: mapping.map(mappingRowOf), per_second };
    }
    case 'email': {
      const { recipients, every, hour, time_zone, link_only } = destination;
      return { recipients: recipients.map(({ address }) => address), every, hour, time_zone, link_only };
    }
    case 'chat': {
      const { service, link_only } = destination;
      return { url: null, service, link_only };
    }
    case 'hubspot':
      return { token: null, mapping: destination.mapping.map(mappingRowOf) };
  }
}

export function conditionsOf(filter: FilterDraft): { match: 'all' | 'any'; rows: ConditionRow[] } {
  return 'any' in filter ? { match: 'any', rows: filter.any } : { match: 'all', rows: filter.all };
}
