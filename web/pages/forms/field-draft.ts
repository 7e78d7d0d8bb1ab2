import type { Form } from '../../../src/contract/forms/form.ts';

type Field = Form['fields'][number];

/** A field while it is edited; values that are not set are empty. */
export interface FieldDraft {
  readonly key: string;
  readonly label: string;
  readonly type: NonNullable<Field['type']> | '';
  readonly required: boolean;
}

export function draftOf({ key, label = '', type, required = false }: Field): FieldDraft {
  return { key, label, type: type ?? '', required };
}

/** A guess from the key and one value, which the owner can change. */
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

/** Leaves out empty values. */
export function fieldOf({ key, label, type, required }: FieldDraft): Field {
  return {
    key,
    ...(label.trim() ? { label } : {}),
    ...(type ? { type } : {}),
    ...(required ? { required } : {}),
  };
}
