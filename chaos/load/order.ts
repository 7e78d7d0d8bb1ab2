import type { Surface } from '../../src/domain/surface.ts';

/** A workspace whose form can be reached through both surfaces. */
export interface Sender {
  readonly workspaceId: string;
  readonly formId: string;
  readonly slug: string;
  readonly token: string;
  readonly secret: string;
}

/** What the load process is told to do. */
export interface LoadOrder {
  readonly ledgerPath: string;
  readonly seed: number;
  /** Leads per second, whether or not the ones before have been answered. */
  readonly rate: number;
  readonly ports: readonly number[];
  readonly senders: readonly Sender[];
  readonly traffic: Traffic;
  /** How long after the end of the load a lead without an answer is repeated. */
  readonly finishSeconds: number;
}

export interface Traffic {
  readonly serverShare: number;
  readonly keyedShare: number;
  /** Of the keyed leads, those that are sent one to three more times although they were answered. */
  readonly resentShare: number;
  readonly resendMsMax: number;
  readonly largeShare: number;
  readonly largeBytes: readonly [min: number, max: number];
  /** Requests with a token or signature that is nobody's: they may get a 200 and must never be stored. */
  readonly invalidShare: number;
  /** How many requests with one key leave at the same moment; half of such groups have bodies that differ. */
  readonly racers: number;
}

export const usualTraffic: Traffic = {
  serverShare: 0.6,
  keyedShare: 0.3,
  resentShare: 1 / 3,
  resendMsMax: 30_000,
  largeShare: 0.02,
  largeBytes: [100_000, 131_072],
  invalidShare: 0.02,
  racers: 1,
};

/** How an attempt ended for its sender. `none`: no whole answer, for whatever reason. */
export type OutcomeKind = '202' | '200' | 'none' | 'other';

/** One line of the ledger: one request that was sent, written when its end is known. */
export interface Attempt {
  readonly lead: number;
  readonly key: string | null;
  readonly bodySha256: string;
  readonly workspaceId: string;
  readonly surface: Surface;
  readonly isValid: boolean;
  /** Sent when everything was calm again, to see whether the answer is still the same. */
  readonly isConfirmation: boolean;
  readonly port: number;
  readonly sentAt: number;
  readonly endedAt: number;
  readonly latencyMs: number;
  readonly outcome: OutcomeKind;
  readonly status: number | null;
  /** Content type and exact bytes of the body, one character per byte. */
  readonly answer: string | null;
  /** Why there is no answer. */
  readonly fault: string | null;
}

export type Tally = Record<OutcomeKind, number>;

export type ToLoad =
  | { readonly kind: 'start'; readonly order: LoadOrder }
  | { readonly kind: 'targets'; readonly ports: readonly number[] }
  /** No new leads; whatever waits for a retry is brought to its end. */
  | { readonly kind: 'finish' }
  /** Sends some answered keys once more. */
  | { readonly kind: 'confirm' };

export type FromLoad =
  /** The first answer has come. */
  | { readonly kind: 'begun' }
  | { readonly kind: 'progress'; readonly tally: Tally }
  | { readonly kind: 'finished' }
  | { readonly kind: 'confirmed' };
