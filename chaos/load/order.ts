import type { Surface } from '../../src/domain/surface.ts';

/** A workspace with a form that both surfaces can reach. */
export interface Sender {
  readonly workspaceId: string;
  readonly formId: string;
  readonly slug: string;
  readonly token: string;
  readonly secret: string;
}

/** Instructions for the load process. */
export interface LoadOrder {
  readonly ledgerPath: string;
  readonly seed: number;
  /** Leads per second, whether or not earlier ones have been answered. */
  readonly rate: number;
  readonly ports: readonly number[];
  readonly senders: readonly Sender[];
  readonly traffic: Traffic;
  /** How long after the end of the load a lead without a response is retried. */
  readonly finishSeconds: number;
}

export interface Traffic {
  readonly serverShare: number;
  readonly keyedShare: number;
  /** Fraction of the leads with a key that are sent one to three more times although they were answered. */
  readonly resentShare: number;
  readonly resendMsMax: number;
  readonly largeShare: number;
  readonly largeBytes: readonly [min: number, max: number];
  /** Requests with an invalid token or signature: they may get a 200 and must never be stored. */
  readonly invalidShare: number;
  /** How many requests with the same key are sent at the same moment. Half of such groups have different bodies. */
  readonly racers: number;
  /** Fraction of the requests with their own connection. Those reach all workers; a kept connection stays with one. */
  readonly freshShare: number;
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
  freshShare: 0,
};

/** How an attempt ended for its sender. `none`: no complete response, for any reason. */
export type OutcomeKind = '202' | '200' | 'none' | 'other';

/** One line of the ledger: a request and its outcome. */
export interface Attempt {
  readonly lead: number;
  readonly key: string | null;
  readonly bodySha256: string;
  readonly workspaceId: string;
  readonly surface: Surface;
  readonly isValid: boolean;
  /** Sent after the faults had ended, to see whether the response is still the same. */
  readonly isConfirmation: boolean;
  readonly port: number;
  readonly sentAt: number;
  readonly endedAt: number;
  readonly latencyMs: number;
  readonly outcome: OutcomeKind;
  readonly status: number | null;
  /** Content type and exact bytes of the body, one character per byte. */
  readonly answer: string | null;
  /** Why there is no response. */
  readonly fault: string | null;
}

export type Tally = Record<OutcomeKind, number>;

export type ToLoad =
  | { readonly kind: 'start'; readonly order: LoadOrder }
  | { readonly kind: 'targets'; readonly ports: readonly number[] }
  /** Sends no new leads, and finishes pending retries. */
  | { readonly kind: 'finish' }
  /** Sends some answered keys once more. */
  | { readonly kind: 'confirm' };

export type FromLoad =
  /** The first response has arrived. */
  | { readonly kind: 'begun' }
  | { readonly kind: 'progress'; readonly tally: Tally }
  | { readonly kind: 'finished' }
  | { readonly kind: 'confirmed' };
