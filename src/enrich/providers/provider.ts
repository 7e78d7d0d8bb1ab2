import { enrichmentField } from '../../domain/enrichment/fields.ts';
import { fitValue } from '../../domain/enrichment/value.ts';
import type { Method, Phase, SkipReason } from '../../domain/enrichment/vocabulary.ts';
import type { NameService } from '../net/egress.ts';
import type { SafeHttp } from '../net/safe-http.ts';
import type { Input } from '../reading/input.ts';

/** One thing a provider says. `confidence` goes from 0 to 1; `source` is the address it was read at. */
export interface FieldValue {
  readonly path: string;
  readonly value: unknown;
  readonly confidence: number;
  readonly method: Method;
  readonly source?: string;
}

/** A value with whose it is. What built-in providers say has no time of its own. */
export interface Said extends FieldValue {
  readonly provider: string;
  readonly observedAt?: string;
}

export type LookupResult =
  | { readonly kind: 'found'; readonly fields: readonly FieldValue[] }
  /** It looked, and there is nothing. */
  | { readonly kind: 'none' }
  | { readonly kind: 'skip'; readonly why: SkipReason }
  /** It may well know more later: a time-out, too many requests, a server in trouble. */
  | { readonly kind: 'retry'; readonly why: string; readonly afterMs?: number }
  /** There is no use in asking again. */
  | { readonly kind: 'fail'; readonly why: string };

interface Described {
  readonly id: string;
  /** A higher number makes leads that are enriched again ask this provider again. */
  readonly version: number;
  readonly text: string;
}

/** Concludes from the lead alone: synchronous and pure, so it runs for each clean lead. */
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

/** Asks somebody else. It must give up when the signal says so; whatever it throws is taken as a failure. */
export interface LookupProvider extends Described {
  readonly phase: Exclude<Phase, 'builtin'>;
  readonly timeoutMs: number;
  /** How many lookups with the same `host` may be under way at once. */
  readonly perHostMax: number;
  readonly cacheMs: { readonly found: number; readonly none: number; readonly fail: number };
  /** Why this lead needs no lookup; null when it does. */
  skip(input: Input): SkipReason | null;
  /** Leads with one key have one answer; null when answers are not to be kept for other leads. */
  cacheKey(input: Input): string | null;
  /** Who is asked: limits and the circuit breaker are counted by it. */
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
