export const slugCharactersMax = 64;
const slugShape = /^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/;

/** How an owner describes a field. It never rejects a lead: a missing or odd field shows in the score. */
export interface FormField {
  readonly key: string;
  readonly label?: string | undefined;
  readonly type?: 'text' | 'email' | 'phone' | 'url' | 'number' | 'boolean' | undefined;
  readonly required?: boolean | undefined;
}

/**
 * When a signed request that comes again is the same submission. `unkeyed`: when neither came with an idempotency key.
 * `all`: whatever keys they came with. `off`: never, so that each makes a lead of its own.
 */
export const replayProtections = ['off', 'unkeyed', 'all'] as const;
export type ReplayProtection = (typeof replayProtections)[number];
export const replayProtectionDefault: ReplayProtection = 'unkeyed';

export function isSlug(text: string): boolean {
  return slugShape.test(text);
}

/** "Contact us (EU)" → "contact-us-eu". Empty when the name holds no letter or digit of the Latin alphabet. */
export function slugFromName(name: string): string {
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, slugCharactersMax)
    .replace(/^-+|-+$/g, '');
}
