import type { Form } from '../../../src/contract/forms/form.ts';

export type FieldDraft = Form['fields'][number];

/** A first proposal for a field from its key and one value; the owner has the last word. */
export function guessField(key: string, example: unknown): FieldDraft {
  const type = typeOf(key, example);
  return type === undefined ? { key } : { key, type };
}

function typeOf(key: string, example: unknown): FieldDraft['type'] {
  if (typeof example === 'boolean') return 'boolean';
  if (typeof example === 'number') return 'number';
  if (typeof example !== 'string') return undefined;
  if (/e-?mail/i.test(key) || /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(example)) return 'email';
  if (/phone|mobile|tel$/i.test(key)) return 'phone';
  if (/^https?:\/\//i.test(example)) return 'url';
  return 'text';
}

/** What was left empty was not said at all. */
export function withoutBlanks(field: FieldDraft): FieldDraft {
  return {
    key: field.key,
    ...(field.label?.trim() ? { label: field.label } : {}),
    ...(field.type ? { type: field.type } : {}),
    ...(field.required ? { required: true } : {}),
  };
}
