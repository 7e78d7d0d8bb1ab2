import type { Form } from '../../../src/contract/forms/form.ts';
import { surfaceNames } from '../text/surface-name.ts';

interface Choice {
  readonly value: string;
  readonly label: string;
}

const verdicts = { clean: 'clean', suspect: 'suspect', spam: 'spam' };
const grades = { A: 'A', B: 'B', C: 'C', D: 'D', E: 'E' };
const choices: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  verdict: verdicts,
  surface: surfaceNames,
  grade: grades,
};

/** The values that a field can have, or null if it can have any. */
export function knownValues(field: string, forms: readonly Form[]): Choice[] | null {
  if (field === 'form') return forms.map(({ id, name }) => ({ value: id, label: name }));
  const known = Object.hasOwn(choices, field) ? choices[field] : undefined;
  return known === undefined ? null : Object.entries(known).map(([value, label]) => ({ value, label }));
}
