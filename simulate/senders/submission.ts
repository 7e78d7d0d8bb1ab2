import type { Surface } from '../../src/domain/surface.ts';

/** Whether a request should be accepted. `late` and `early`: its token is revoked, or created, while the plan runs. */
export type Credential = 'good' | 'bad' | 'late' | 'early';

/** Everything that is sent with the same key or signature. Without either, it is a single request. */
export interface Submission {
  readonly number: number;
  readonly workspace: number;
  readonly surface: Surface;
  readonly credential: Credential;
  /** Submissions with the same key in the same workspace are the same. */
  readonly key: number | null;
  /** How many lifetimes of a key have passed: after each, the same key counts as new. */
  readonly use: number;
  /** Submissions with the same number have the same body. */
  readonly body: number;
  readonly bodyBytes: number;
  readonly isUnreadable: boolean;
  /** Retries are the same request with the same signature, not signed again. */
  readonly isSignedOnce: boolean;
  /** Was signed so long ago that it is rejected. */
  readonly isStale?: boolean;
  readonly packets: number;
}

export interface SendAct {
  readonly kind: 'send';
  readonly submission: Submission;
  readonly instance: number;
  readonly tries: number;
}
