import type { Form } from '../../../src/contract/forms/form.ts';

type Field = Form['fields'][number];

/** A field while it is edited; what is not said yet is empty. */
export interface FieldDraft {
  readonly key: string;
  readonly label: string;
  readonly type: NonNullable<Field['type']> | '';
  readonly required: boolean;
}

export function draftOf({ key, label = '', type, required = false }: Field): FieldDraft {
  return { key, label, type: type ?? '', required };
}

/** A first proposal for a field from its key and one value; the owner has the last word. */
export function guessField(key: string, example: unknown): FieldDraft {
  return draftOf({ key, type: typeOf(key, example) });
}

function typeOf(key: string, example: unknown): Field['type'] {
  if (typeof example === 'boolean') return 'boolean';
  if (typeof example === 'number') return 'number';
  if (typeof example !== 'string') return undefined;
  if (/e-?mail/i.test(key) || /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(example)) return 'email';
  if (/phone|mobile|tel$/i.test(key)) return 'phone';
  if (/^https?:\/\//i.test(example)) return 'url';
  return 'text';
}

/** What was left empty is left out. */
export function fieldOf({ key, label, type, required }: FieldDraft): Field {
  return {
    key,
    ...(label.trim() ? { label } : {}),
    ...(type ? { type } : {}),
    ...(required ? { required } : {}),
  };
}
