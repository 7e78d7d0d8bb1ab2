import type { IncomingMessage } from 'node:http';
import { clientAddress, networkOf } from '../../../http/client-address.ts';

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

export function originOf({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>): string | null {
  let origin: string | null = null;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (rawHeaders[i]?.toLowerCase() !== 'origin') continue;
    // We never guess which value is meant.
    if (origin !== null) return null;
    origin = rawHeaders[i + 1] ?? '';
  }
  return origin === 'null' || origin === '' ? null : origin;
}

export function visitorNetwork({ socket, headers }: IncomingMessage, proxyCount: number): string {
  const forwarded = headers['x-forwarded-for'];
  const list = Array.isArray(forwarded) ? forwarded.join() : forwarded;
  return networkOf(clientAddress(socket.remoteAddress, list, proxyCount));
}
