/**
 * Whether the service responds. Calls that get no response only raise a doubt; one probe decides, and is tried again until
 * it succeeds:
 *
 *   up       a doubt, or the browser going online or offline → probe
 *   down     the probe failed: it is tried again after 1, 2, 4, 8, 15, 15 … seconds, when the tab is shown again, when the
 *            browser is online again, and when someone asks; a probe that succeeds → up
 *
 * At most one probe is under way.
 */
export type Outage = 'offline' | 'unavailable';

export interface ConnectionState {
  /** `unavailable`: the service responds, but has no database. */
  readonly outage: Outage | null;
  /** When the last response arrived before the outage. */
  readonly heardAt: number;
  /** When the next probe starts; null while one is under way. */
  readonly retryAt: number | null;
}

// It needs no permission, and reads the session from the database. A 401 is a response too.
const probePath = '/api/v1/me';
const probeMsMax = 5_000;
const retryMs = [1_000, 2_000, 4_000, 8_000, 15_000];
const gatewayStatuses: readonly number[] = [502, 503, 504];

let heardAt = Date.now();
let state: ConnectionState = { outage: null, heardAt, retryAt: null };
let failures = 0;
let timer: ReturnType<typeof setTimeout> | undefined;
let probing: Promise<boolean> | undefined;
const listeners = new Set<() => void>();

function change(next: ConnectionState): void {
  state = next;
  for (const listener of listeners) listener();
}

export const connection = {
  current: () => state,
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  /** A call got this response, or none. */
  heard(status: number): void {
    if (isOutage(status)) void connection.check();
    else heardAt = Date.now();
  },
  /** True if the service responds now. */
  check(): Promise<boolean> {
    clearTimeout(timer);
    probing ??= probe().finally(() => {
      probing = undefined;
    });
    return probing;
  },
};

/** No response, or one that says that nobody is there. */
export function isOutage(status: number): boolean {
  return status === 0 || gatewayStatuses.includes(status);
}

async function probe(): Promise<boolean> {
  if (state.outage !== null) change({ ...state, retryAt: null });
  const outage = await outageNow();
  if (outage === null) {
    failures = 0;
    heardAt = Date.now();
    if (state.outage !== null) change({ outage, heardAt, retryAt: null });
    return true;
  }
  const waitMs = retryMs[Math.min(failures++, retryMs.length - 1)] as number;
  timer = setTimeout(() => void connection.check(), waitMs);
  change({ outage, heardAt, retryAt: Date.now() + waitMs });
  return false;
}

async function outageNow(): Promise<Outage | null> {
  try {
    const response = await fetch(probePath, { cache: 'no-store', signal: AbortSignal.timeout(probeMsMax) });
    if (!isOutage(response.status)) return null;
    // A proxy that has no service to pass the request to sends a page of its own.
    const body = (await response.json()) as { code?: string };
    return body.code === 'unavailable' ? 'unavailable' : 'offline';
  } catch {
    return 'offline';
  }
}
