import type { IncomingMessage } from 'node:http';
import { readPageHeaders } from '../submissions/page-headers.ts';

/** A request of a page whose body was read. */
export interface Visit {
  /** Null for anything but a JSON object within the limit. */
  readonly body: Readonly<Record<string, unknown>> | null;
  /** Null if it is missing, repeated or `null`. */
  readonly origin: string | null;
  /** An IPv4 address or an IPv6 /64. */
  readonly network: string;
  readonly at: number;
}

export function originOf(request: Pick<IncomingMessage, 'rawHeaders'>): string | null {
  const { origin } = readPageHeaders(request);
  // We never guess which of several values is meant.
  return typeof origin !== 'string' || origin === 'null' || origin === '' ? null : origin;
}
