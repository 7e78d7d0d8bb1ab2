import type { Logger } from 'pino';
import { type Clock, dayMs } from '../../time/clock.ts';

export interface UncountedProxyDeps {
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Pick<Logger, 'warn'>;
  readonly proxyCount: number;
}

interface ProxySettings {
  readonly publicUrl: string | null;
  readonly proxyCount: number;
}

/** The service speaks plain HTTP, so something in front of it serves https. */
export function lacksProxyCount({ publicUrl, proxyCount }: ProxySettings): boolean {
  return proxyCount === 0 && publicUrl?.startsWith('https:') === true;
}

/**
 * A proxy in front of the service that TRUST_PROXY does not count: all people then share its address, and the limits of that
 * address. Anyone can send the header of a proxy, so the log says once what may be. Only people who are signed in make it a
 * warning.
 */
export class UncountedProxy {
  readonly #deps: UncountedProxyDeps;
  #isLogged = false;
  #provenAt = Number.NEGATIVE_INFINITY;

  constructor(deps: UncountedProxyDeps) {
    this.#deps = deps;
  }

  /** True if a signed-in person came through it within a day. */
  get isThere(): boolean {
    return this.#deps.clock.now() - this.#provenAt < dayMs;
  }

  /** Each request of the management API, before its caller is known. */
  arrived(headers: Headers): void {
    if (this.#isLogged || !this.#isUncounted(headers)) return;
    this.#isLogged = true;
    this.#deps.log.warn(
      'X-Forwarded-For ignored because TRUST_PROXY is 0. If a proxy added it, all people share one limit for sign-in attempts: set TRUST_PROXY to the number of proxies, usually 1, and restart. A sender without a proxy can add it too. This is logged once',
    );
  }

  /** The same request, if a signed-in person has sent it. */
  proven(headers: Headers): void {
    if (this.#isUncounted(headers)) this.#provenAt = this.#deps.clock.now();
  }

  #isUncounted(headers: Headers): boolean {
    return this.#deps.proxyCount === 0 && headers.has('x-forwarded-for');
  }
}
