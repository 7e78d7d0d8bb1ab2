import { lookup, Resolver } from 'node:dns/promises';
import { connect, isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as connectTls } from 'node:tls';

export interface MailExchange {
  readonly exchange: string;
  readonly priority: number;
}

/** DNS queries. An empty list is a result; a query without a response throws a NameServiceError. */
export interface NameService {
  mailExchanges(name: string, signal: AbortSignal): Promise<readonly MailExchange[]>;
  texts(name: string, signal: AbortSignal): Promise<readonly string[]>;
  /** All IPv4 and IPv6 addresses of a host. */
  addresses(name: string, signal: AbortSignal): Promise<readonly string[]>;
  /** As programs on this machine find it: its hosts file and search domains count. Cannot be cancelled. */
  machineAddresses(name: string): Promise<readonly string[]>;
}

export interface DialTarget {
  /** Already checked: connecting must not resolve it again. */
  readonly address: string;
  readonly port: number;
  /** The name on the certificate; null for a connection without TLS. */
  readonly serverName: string | null;
}

/**
 * The only two ways out of enrichment and deliveries: DNS queries and connections. Tests provide their own; the
 * configuration cannot, so the rules for which addresses are reachable are the same everywhere.
 */
export interface Egress {
  readonly names: NameService;
  dial(target: DialTarget): Duplex;
}

/** The name servers did not respond, which says nothing about the name. */
export class NameServiceError extends Error {}

const absent = new Set(['ENOTFOUND', 'ENODATA', 'NOTFOUND', 'NODATA']);
const tryMs = 900;

async function ask<T>(signal: AbortSignal, question: (resolver: Resolver) => Promise<T[]>): Promise<T[]> {
  signal.throwIfAborted();
  // Its own resolver, because cancelling affects all queries of a resolver.
  const resolver = new Resolver({ timeout: tryMs, tries: 2 });
  const cancel = () => resolver.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    return await absentAsEmpty(question(resolver));
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}

async function absentAsEmpty<T>(reply: Promise<T[]>): Promise<T[]> {
  try {
    return await reply;
  } catch (error) {
    const code = String((error as NodeJS.ErrnoException).code);
    if (absent.has(code)) return [];
    throw new NameServiceError(`the name servers did not respond (${code})`);
  }
}

const systemNames: NameService = {
  mailExchanges: (name, signal) => ask(signal, (resolver) => resolver.resolveMx(name)),
  texts: async (name, signal) =>
    (await ask(signal, (resolver) => resolver.resolveTxt(name))).map((parts) => parts.join('')),
  async addresses(name, signal) {
    const both = await Promise.all([
      ask(signal, (resolver) => resolver.resolve4(name)),
      ask(signal, (resolver) => resolver.resolve6(name)),
    ]);
    return both.flat();
  },
  machineAddresses: async (name) =>
    (await absentAsEmpty(lookup(name, { all: true }))).map(({ address }) => address),
};

export const systemEgress: Egress = {
  names: systemNames,
  dial({ address, port, serverName }) {
    if (serverName === null) return connect({ host: address, port });
    // Explicit, so that no environment variable can turn it off.
    return connectTls({
      host: address,
      port,
      // TLS sends no IP address as a name. The certificate must be for it nevertheless.
      servername: isIP(serverName) === 0 ? serverName : '',
      rejectUnauthorized: true,
    });
  },
};
