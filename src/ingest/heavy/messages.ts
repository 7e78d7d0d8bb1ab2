import type { PageSignals } from '../../domain/browser/page-signals.ts';
import type { BodyRejectionReason } from '../../domain/lead/lead.ts';
import type { LeadPrint } from '../../domain/score/repeat-memory.ts';
import type { Score } from '../../domain/score/score.ts';
import type { CompiledScoring } from '../../domain/score/settings/compile.ts';

/** A body for the heavy thread, which handles one at a time. */
export interface ThreadRequest {
  readonly body: Uint8Array;
  readonly now: number;
  /** Null on the other surfaces. */
  readonly page: PageSignals | null;
  /** The form's scoring settings; null when only the projection is wanted. */
  readonly form: FormReference | null;
}

/** Settings are sent once and then referred to by number. */
export interface FormReference {
  readonly number: number;
  readonly settings: CompiledScoring | null;
  /** True when the thread must forget all settings sent before. */
  readonly isFirst: boolean;
}

export type ThreadMessage =
  /** The thread waits until the sightings are in the shared memory. */
  | { readonly kind: 'see'; readonly print: LeadPrint }
  | { readonly kind: 'unstorable'; readonly reason: BodyRejectionReason }
  | {
      readonly kind: 'lead';
      /** Null when the body itself is the projection. */
      readonly projection: Uint8Array | null;
      readonly score: Score | null;
      /** Why scoring failed. */
      readonly error: string | null;
    };

/** Indexes in the shared memory that passes sightings to the thread. */
export const sightingPlaces = {
  isThere: 0,
  sameBody: 1,
  sameText: 2,
  nearText: 3,
  likeText: 4,
  ownText: 5,
  sameEmail: 6,
  sameNetwork: 7,
} as const;
export const sightingPlacesCount = 8;
