import type { BodyRejectionReason } from '../../domain/lead/lead.ts';
import type { LeadPrint } from '../../domain/score/repeat-memory.ts';
import type { Score } from '../../domain/score/score.ts';
import type { CompiledScoring } from '../../domain/score/settings/compile.ts';

/** What the service and the thread that judges heavy bodies tell each other. One body at a time. */
export interface ThreadRequest {
  readonly body: Uint8Array;
  readonly now: number;
  /** By which settings; null for a body of which only the projection is wanted. */
  readonly form: FormReference | null;
}

/** Settings are sent once and then called by their number. */
export interface FormReference {
  readonly number: number;
  readonly settings: CompiledScoring | null;
  /** Whatever was sent before may be forgotten. */
  readonly isFirst: boolean;
}

export type ThreadMessage =
  /** The thread waits until the sightings stand in the shared memory. */
  | { readonly kind: 'see'; readonly print: LeadPrint }
  | { readonly kind: 'unstorable'; readonly reason: BodyRejectionReason }
  | {
      readonly kind: 'lead';
      /** Null when it is the body itself. */
      readonly projection: Uint8Array | null;
      readonly score: Score | null;
      /** Why there is no score, when there should be one. */
      readonly error: string | null;
    };

/** Places in the shared memory through which the thread learns what was seen before. */
export const sightingPlaces = {
  isThere: 0,
  sameBody: 1,
  nearMessage: 2,
  sameEmail: 3,
  sameNetwork: 4,
} as const;
export const sightingPlacesCount = 5;
