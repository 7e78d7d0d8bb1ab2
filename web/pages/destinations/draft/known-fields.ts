import { mappableFields } from '../../../../src/contract/enrichment/terms.ts';
import type { Form } from '../../../../src/contract/forms/form.ts';

const attribution = [
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'utm_term',
  'utm_content',
  'gclid',
  'referrer',
];

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
