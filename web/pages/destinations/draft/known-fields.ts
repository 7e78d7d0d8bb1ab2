import { mappableFields } from '../../../../src/contract/enrichment/terms.ts';
import type { Form } from '../../../../src/contract/forms/form.ts';
import { surfaceNames } from '../../../parts/text/surface-name.ts';

interface Choice {
  readonly value: string;
  readonly label: string;
}

const attribution = [
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'utm_term',
  'utm_content',
  'gclid',
  'referrer',
];
const verdicts = { clean: 'clean', suspect: 'suspect', spam: 'spam' };
const grades = { A: 'A', B: 'B', C: 'C', D: 'D', E: 'E' };
const choices: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  verdict: verdicts,
  surface: surfaceNames,
  grade: grades,
};

export function declaredKeys(forms: readonly Form[]): string[] {
  return [...new Set(forms.flatMap(({ fields }) => fields.map(({ key }) => key)))];
}

/** What a condition can be about. Any other `field.<key>` can be typed. */
export function conditionFields(forms: readonly Form[]) {
  return [
    { group: 'Lead', items: ['verdict', 'grade', 'score', 'form', 'surface'] },
    { group: 'Fields', items: declaredKeys(forms).map((key) => `field.${key}`) },
    { group: 'Attribution', items: attribution.map((key) => `attribution.${key}`) },
    { group: 'Enrichment', items: mappableFields.map(({ path }) => `enrichment.${path}`) },
  ].filter(({ items }) => items.length > 0);
}

/** What a row of the mapping can read. Any other key can be typed. */
export function mappingSources(forms: readonly Form[], hasOthers: boolean) {
  const pointers = ['submission_id', 'received_at', 'form/slug', 'form/name', 'verdict', 'score', 'grade'];
  return [
    { group: 'Fields', items: [...declaredKeys(forms), ...(hasOthers ? ['*'] : [])] },
    { group: 'Lead', items: pointers.map((path) => `/${path}`) },
    { group: 'Attribution', items: attribution.map((key) => `/attribution/${key}`) },
    {
      group: 'Enrichment',
      items: mappableFields.map(({ path }) => `/enrichment/${path.replaceAll('.', '/')}`),
    },
  ].filter(({ items }) => items.length > 0);
}

/** The values that a field can have, or null if it can have any. */
export function knownValues(field: string, forms: readonly Form[]): Choice[] | null {
  if (field === 'form') return forms.map(({ id, name }) => ({ value: id, label: name }));
  const known = Object.hasOwn(choices, field) ? choices[field] : undefined;
  return known === undefined ? null : Object.entries(known).map(([value, label]) => ({ value, label }));
}
