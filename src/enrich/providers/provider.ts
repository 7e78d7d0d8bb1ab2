import { enrichmentField } from '../../domain/enrichment/fields.ts';
import { fitValue } from '../../domain/enrichment/value.ts';
import type { Method, Phase, SkipReason } from '../../domain/enrichment/vocabulary.ts';
import type { NameService } from '../../net/egress.ts';
import type { SafeHttp } from '../../net/safe-http.ts';
import type { Input } from '../reading/input.ts';

/** One value from a provider. `confidence` is between 0 and 1; `source` is the URL it was read from. */
export interface FieldValue {
  readonly path: string;
  readonly value: unknown;
  readonly confidence: number;
  readonly method: Method;
  readonly source?: string;
}

/** A value with its provider. Values of built-in providers have no time. */
export interface Said extends FieldValue {
  readonly provider: string;
  readonly observedAt?: string;
}

export type LookupResult =
  | { readonly kind: 'found'; readonly fields: readonly FieldValue[] }
  /** It looked and found nothing. */
  | { readonly kind: 'none' }
  | { readonly kind: 'skip'; readonly why: SkipReason }
  /** It may know more later: a timeout, too many requests, a server error. */
  | { readonly kind: 'retry'; readonly why: string; readonly afterMs?: number }
  /** Asking again is pointless. */
  | { readonly kind: 'fail'; readonly why: string };

interface Described {
  readonly id: string;
  /** Increase it to have this provider asked again when a lead is enriched again. */
  readonly version: number;
  readonly text: string;
}

/** Works from the lead alone: synchronous and pure, so it runs for every clean lead. */
export interface BuiltinProvider extends Described {
  readonly phase: 'builtin';
  enrich(input: Input): readonly FieldValue[];
}

export interface LookupContext {
  readonly signal: AbortSignal;
  readonly names: NameService;
  readonly http: SafeHttp;
  readonly now: Date;
}

/** Asks someone else. It must stop when the signal aborts; anything it throws counts as a failure. */
export interface LookupProvider extends Described {
  readonly phase: Exclude<Phase, 'builtin'>;
  readonly timeoutMs: number;
  /** How many lookups with the same `host` may run at the same time. */
  readonly perHostMax: number;
  readonly cacheMs: { readonly found: number; readonly none: number; readonly fail: number };
  /** Why this lead needs no lookup; null if it does. */
  skip(input: Input): SkipReason | null;
  /** Leads with the same key share a result; null if results must not be kept for other leads. */
  cacheKey(input: Input): string | null;
  /** Who is asked; limits and the circuit breaker apply per host. */
  host(input: Input): string;
  ask(input: Input, context: LookupContext): Promise<LookupResult>;
}

/** Only fields of the table, only values of their types. */
export function fitFields(fields: readonly FieldValue[]): FieldValue[] {
  const fit: FieldValue[] = [];
  for (const field of fields) {
    const declared = enrichmentField(field.path);
    const value = declared === null ? null : fitValue(declared.type, field.value);
    if (value !== null) fit.push(value === field.value ? field : { ...field, value });
  }
  return fit;
}
