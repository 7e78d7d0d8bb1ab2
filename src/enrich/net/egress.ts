import { Resolver } from 'node:dns/promises';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as connectTls } from 'node:tls';

export interface MailExchange {
  readonly exchange: string;
  readonly priority: number;
}

/** Questions to the name servers. An empty list is an answer; not to get one is thrown as a NameServiceError. */
export interface NameService {
  mailExchanges(name: string, signal: AbortSignal): Promise<readonly MailExchange[]>;
  texts(name: string, signal: AbortSignal): Promise<readonly string[]>;
  /** All addresses of a host, of both families. */
  addresses(name: string, signal: AbortSignal): Promise<readonly string[]>;
}

export interface DialTarget {
  /** Already checked: dialling must not resolve anything again. */
  readonly address: string;
  readonly port: number;
  /** The name the certificate must be for; null for a connection without TLS. */
  readonly serverName: string | null;
}

/**
 * The only two ways out of this plane: asking for names and opening connections. Tests bring their own; nothing in
 * the configuration can, so what decides which addresses are reached stays the same everywhere.
 */
export interface Egress {
  readonly names: NameService;
  dial(target: DialTarget): Duplex;
}

/** The name servers gave no answer, which says nothing about the name. */
export class NameServiceError extends Error {}

const absent = new Set(['ENOTFOUND', 'ENODATA', 'NOTFOUND', 'NODATA']);
const tryMs = 900;

async function ask<T>(signal: AbortSignal, question: (resolver: Resolver) => Promise<T[]>): Promise<T[]> {
  signal.throwIfAborted();
  // One of its own, because cancelling ends everything that a resolver was asked.
  const resolver = new Resolver({ timeout: tryMs, tries: 2 });
  const cancel = () => resolver.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    return await question(resolver);
  } catch (error) {
    const code = String((error as NodeJS.ErrnoException).code);
    if (absent.has(code)) return [];
    throw new NameServiceError(`the name servers gave no answer (${code})`);
  } finally {
    signal.removeEventListener('abort', cancel);
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
};

export const systemEgress: Egress = {
  names: systemNames,
  dial({ address, port, serverName }) {
    if (serverName === null) return connect({ host: address, port });
    // Said outright, so that no variable of the environment can turn it off.
    return connectTls({ host: address, port, servername: serverName, rejectUnauthorized: true });
  },
};
