export interface Load {
  readonly port: number;
  readonly connections: number;
  readonly seconds: number;
  readonly tokens: readonly string[];
  /** Makes idempotency keys unique across runs. */
  readonly runId: string;
}

/** Only complete responses count as requests. */
export interface Figures {
  readonly requests: number;
  readonly rate: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Broken connections, timeouts, and responses of 400 and above. */
  readonly failures: number;
}

/**
 * The pause between connecting and the first request. Node accepts one connection per turn of its event loop: without the
 * pause, the first connections would keep it so busy that the last ones wait for seconds, which would determine p99. The
 * pause is not part of the measured time.
 */
export const settleMs = 200;
