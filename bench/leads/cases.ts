import { days, type SeedPlan, words } from './seed.ts';

/** Something that people do in the lead table, as a query of the API. */
export interface Case {
  readonly title: string;
  readonly query: Readonly<Record<string, string>>;
  readonly path?: '/export';
  /** Has no goal, for a reason that docs/performance.md gives. */
  readonly isWithoutGoal?: true;
}

const dayMs = 86_400_000;

/** `middle` is a cursor in the middle of the list. */
export function casesOf({ formIds }: SeedPlan, middle: string): Case[] {
  const [frequent = '', , some = ''] = formIds;
  const rare = formIds.at(-1) ?? '';
  const ago = (share: number) => new Date(Date.now() - days * dayMs * share).toISOString();
  return [
    { title: 'first page', query: {} },
    { title: 'first page of 200', query: { limit: '200' } },
    { title: 'page in the middle of the list', query: { cursor: middle } },
    { title: 'form, frequent', query: { form_id: frequent } },
    { title: 'form, rare and old', query: { form_id: rare } },
    { title: 'verdict, frequent', query: { verdict: 'spam' } },
    { title: 'verdict, rare', query: { verdict: 'suspect' } },
    { title: 'a week, long ago', query: { from: ago(0.7), to: ago(0.62) } },
    {
      title: 'form, verdict, surface and a month',
      query: { form_id: some, verdict: 'suspect', surface: 'webhook', from: ago(0.6), to: ago(0.3) },
    },
    {
      title: 'form and verdict that never meet',
      query: { form_id: rare, verdict: 'suspect', surface: 'webhook' },
    },
    { title: 'value of a field, rare', query: { 'field.note': `Ship it to ${words.rare}` } },
    { title: 'search, frequent', query: { q: words.frequent } },
    { title: 'search, rare', query: { q: words.rare.toLowerCase() } },
    { title: 'search, only the oldest', query: { q: words.oldest } },
    { title: 'search, not found', query: { q: words.missing } },
    { title: 'search and form', query: { q: words.rare, form_id: some } },
    { title: 'marked as spam', query: { mark: 'spam' } },
    { title: 'export as CSV, first bytes', path: '/export', query: { format: 'csv' } },
    { title: 'export as NDJSON, first bytes', path: '/export', query: { format: 'ndjson' } },
    // The header lists the fields of its leads, which have to be found first.
    {
      title: 'export of a rare form, first bytes',
      path: '/export',
      query: { form_id: rare },
      isWithoutGoal: true,
    },
  ];
}
