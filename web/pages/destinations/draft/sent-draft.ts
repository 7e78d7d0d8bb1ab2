import { conditionOf } from '../../../parts/conditions/condition.ts';
import type { DestinationDraft, HeaderRow } from './draft.ts';
import { rowOf } from './mapping.ts';

/** Which leads, and what is sent of them: all that a dry run needs. */
export function selectionOf(draft: DestinationDraft) {
  const { kind, service, link_only } = draft;
  const leads = leadsOf(draft);
  switch (kind) {
    case 'webhook':
      return { kind, ...leads, ...contentOf(draft) };
    case 'email':
      return { kind, ...leads, link_only };
    case 'chat':
      return { kind, ...leads, service, link_only };
    case 'hubspot':
      return { kind, ...leads, mapping: draft.mapping.map(rowOf) };
  }
}

/** The settings to save. What is stored and not edited, such as a secret, is left out, and so stays as it is. */
export function settingsOf(draft: DestinationDraft) {
  const { kind, name, events, send_when, wait_max_s } = draft;
  const common = { name, ...leadsOf(draft), events, send_when, wait_max_s };
  switch (kind) {
    case 'webhook': {
      const { headers, per_second, secret } = draft;
      return {
        kind,
        ...common,
        ...contentOf(draft),
        url: (draft.url ?? '').trim(),
        per_second,
        ...(headers === null ? {} : { headers: headersOf(headers) }),
        ...(secret === '' ? {} : { secret }),
      };
    }
    case 'email': {
      const { recipients, every, hour, time_zone, link_only } = draft;
      return { kind, ...common, recipients, every, hour, time_zone, link_only };
    }
    case 'chat': {
      const { service, url, link_only } = draft;
      return { kind, ...common, service, ...(url === null ? {} : { url: url.trim() }), link_only };
    }
    case 'hubspot': {
      const { token, mapping } = draft;
      return {
        kind,
        ...common,
        ...(token === null ? {} : { token: token.trim() }),
        mapping: mapping.map(rowOf),
      };
    }
  }
}

/** Only what was changed, so that what others change in the meantime stays. */
export function changedOf(before: DestinationDraft, after: DestinationDraft) {
  const old: Readonly<Record<string, unknown>> = settingsOf(before);
  const isChanged = ([name, value]: [string, unknown]) => JSON.stringify(value) !== JSON.stringify(old[name]);
  return Object.fromEntries(Object.entries(settingsOf(after)).filter(isChanged)) as Partial<
    Omit<ReturnType<typeof settingsOf>, 'kind'>
  >;
}

function leadsOf({ form_ids, filter }: DestinationDraft) {
  return {
    form_ids: form_ids !== null && form_ids.length === 0 ? null : form_ids,
    filter: 'any' in filter ? { any: filter.any.map(conditionOf) } : { all: filter.all.map(conditionOf) },
  };
}

function contentOf({ format, mapping }: DestinationDraft) {
  // Another format does not use the mapping, and it stays as it is stored.
  return { format, ...(format === 'mapped' ? { mapping: mapping.map(rowOf) } : {}) };
}

/** Rows that are still empty are left out. */
function headersOf(rows: readonly HeaderRow[]): Record<string, string> {
  const filled = rows.filter(({ name, value }) => name.trim() !== '' || value !== '');
  return Object.fromEntries(filled.map(({ name, value }) => [name.trim(), value]));
}
