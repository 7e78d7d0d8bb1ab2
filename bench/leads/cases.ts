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

function where(...all: readonly object[]): { readonly where: string } {
  return { where: JSON.stringify({ all }) };
}

/** `middle` is a cursor in the middle of the list. */
export function casesOf({ formIds }: SeedPlan, middle: Readonly<Record<string, string>>): Case[] {
  const [frequent = '', , some = ''] = formIds;
  const rare = formIds.at(-1) ?? '';
  const ago = (share: number) => new Date(Date.now() - days * dayMs * share).toISOString();
  return [
    { title: 'first page', query: {} },
    { title: 'first page of 200', query: { limit: '200' } },
    { title: 'page in the middle of the list', query: middle },
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
    { title: 'search, three characters, not found', query: { q: 'xqz' } },
    { title: 'search, two characters', query: { q: 'ZZ' } },
    { title: 'where: score at least 98', query: where({ field: 'score', op: 'gte', value: 98 }) },
    {
      title: 'where: grade and budget in a range',
      query: where(
        { field: 'grade', op: 'in', value: ['A', 'B'] },
        { field: 'field.budget', op: 'gte', value: 9_900 },
        { field: 'field.budget', op: 'lte', value: 9_950 },
      ),
    },
    {
      title: 'where: contains, rare',
      query: where({ field: 'field.note', op: 'contains', value: words.rare }),
    },
    {
      title: 'where: starts_with, only the oldest',
      query: where({ field: 'field.note', op: 'starts_with', value: words.oldest }),
    },
    {
      title: 'where: ne and exists',
      query: where({ field: 'field.country', op: 'ne', value: 'DE' }, { field: 'field.phone', op: 'exists' }),
    },
    ...[
      'score',
      'grade',
      'verdict',
      'form',
      'field.name',
      'field.budget',
      'field.email',
      'field.note',
    ].flatMap((sort) => [
      { title: `sorted by ${sort}`, query: { sort } },
      {
        title: `sorted by ${sort}, ascending, with a filter`,
        query: { sort, order: 'asc', verdict: 'spam' },
      },
    ]),
    { title: 'sorted by score, search, rare', query: { sort: 'score', q: words.rare } },
    { title: 'sorted by budget, search, frequent', query: { sort: 'field.budget', q: words.frequent } },
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
