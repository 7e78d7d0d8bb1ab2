import { domainToASCII } from 'node:url';
import type { Logger } from 'pino';
import type { LearnedDomain } from '../../db/enrichment/learned-domains.ts';
import { type Clock, type Loop, secondMs } from '../../time/clock.ts';

export interface LearnedDomainsDeps {
  /** Changes whenever `read` would return something else. */
  readonly readRevision: () => Promise<string>;
  readonly read: () => Promise<readonly LearnedDomain[]>;
  readonly clock: Clock;
  readonly log: Logger;
}

const pollMs = 10 * secondMs;
const isAscii = /^[\x20-\x7e]*$/;

/**
 * What DNS has said about the email domains of earlier leads, in memory: a lead is scored with it and never waits for a
 * lookup. While PostgreSQL is down, what was read last applies.
 */
export class LearnedDomains {
  readonly #deps: LearnedDomainsDeps;
  #servers: ReadonlyMap<string, string> = new Map();
  #revision = '';
  #poll: Loop | null = null;

  constructor(deps: LearnedDomainsDeps) {
    this.#deps = deps;
  }

  start(): void {
    const { clock, log } = this.#deps;
    this.#poll ??= clock.repeat(() => this.refresh(), {
      pauseMs: pollMs,
      onFailure: (error) => log.debug({ err: error }, 'learned domains not read; using the last known ones'),
    });
  }

  async stop(): Promise<void> {
    await this.#poll?.stop();
  }

  async refresh(): Promise<void> {
    const revision = await this.#deps.readRevision();
    if (revision === this.#revision) return;
    const learned = await this.#deps.read();
    this.#servers = new Map(learned.map(({ domain, mailServer }) => [domain, mailServer]));
    this.#revision = revision;
  }

  /** The mail server of a domain that a disposable email service uses; null for any other domain. */
  mailServerOf(domain: string): string | null {
    // DNS knows `müller.de` as `xn--mller-kva.de`.
    const name = isAscii.test(domain) ? domain : domainToASCII(domain);
    return this.#servers.get(name) ?? null;
  }
}
