import type { Reply } from '../../../http/plain/reply.ts';
import type { Arrival } from '../../arrive.ts';
import { allowsOrigin } from '../../directory/browser-entry.ts';
import { Rejection } from '../../rejection.ts';
import { type Answer, Exchange, type RespondDeps } from '../../respond.ts';
import type { BrowserCounts } from '../browser-counts.ts';
import type { PageClaim } from './page-claim.ts';

export interface PageRespondDeps extends RespondDeps {
  readonly browserCounts: BrowserCounts;
}

/** A request of a web page. Wherever its token turns out to have been used for another body, it ends here. */
export class PageExchange extends Exchange {
  readonly #claim: PageClaim;
  readonly #at: number;
  readonly #counts: BrowserCounts;

  constructor(reply: Reply, arrival: Arrival, claim: PageClaim, deps: PageRespondDeps) {
    super(reply, arrival, deps);
    this.#claim = claim;
    this.#at = arrival.at;
    this.#counts = deps.browserCounts;
  }

  override reject(rejection: Rejection): void {
    super.reject(rejection);
    this.#count('used');
  }

  override answer(answer: Answer): void {
    const { result } = answer;
    if (result.kind === 'duplicate' && !result.isSameBody) {
      this.reject(new Rejection('token_replayed'));
      return;
    }
    super.answer(answer);
    if (result.kind !== 'stored') return;
    this.#count('used');
    this.#count('accepted');
  }

  #count(step: 'used' | 'accepted'): void {
    const { form, headers } = this.#claim;
    if (form === null) return;
    const { origin } = headers;
    const isKnown = typeof origin === 'string' && form.browser !== null;
    const isAllowed = isKnown && form.browser !== null && allowsOrigin(form.browser, origin, this.#at);
    this.#counts.count(form, isAllowed ? origin : '', step, this.#at);
  }
}
