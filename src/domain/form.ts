import { transliterate } from './transliterate.ts';

export const slugCharactersMax = 64;
const slugShape = /^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/;

/** A field as the owner declares it. It never rejects a lead: a missing field only affects the score. */
export interface FormField {
  readonly key: string;
  readonly label?: string | undefined;
  readonly type?: 'text' | 'email' | 'phone' | 'url' | 'number' | 'boolean' | undefined;
  readonly required?: boolean | undefined;
}

/**
 * When a signed request that is sent a second time counts as the same submission. `unkeyed`: if neither carried an
 * idempotency key. `all`: whatever keys they carried. `off`: never, so that each creates a lead.
 */
export const replayProtections = ['off', 'unkeyed', 'all'] as const;
export type ReplayProtection = (typeof replayProtections)[number];
export const replayProtectionDefault: ReplayProtection = 'unkeyed';

/** Whether tables and pages show keys that a form does not declare. They are stored, searched and exported in any case. */
export const unknownKeysPolicies = ['shown', 'hidden'] as const;
export type UnknownKeys = (typeof unknownKeysPolicies)[number];
export const unknownKeysDefault: UnknownKeys = 'shown';

/** How long a former slug can still lead to its form. */
export const aliasDays = 30;

export function isSlug(text: string): boolean {
  return slugShape.test(text);
}

/** "Contact us (EU)" → "contact-us-eu". Empty if the name has no digit and no letter with a Latin spelling. */
export function slugFromName(name: string): string {
  return transliterate(
    name
      .normalize('NFKD')
      .toLowerCase()
      .replace(/[\u0300-\u036f]/g, ''),
  )
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, slugCharactersMax)
    .replace(/^-+|-+$/g, '');
}
