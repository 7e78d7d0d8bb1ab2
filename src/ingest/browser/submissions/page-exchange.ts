import type { IncomingMessage, ServerResponse } from 'node:http';
import { answerRefused, answerSeeOther } from '../../../http/answers.ts';
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

  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    arrival: Arrival,
    claim: PageClaim,
    deps: PageRespondDeps,
  ) {
    super(request, response, arrival, deps);
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

  /** A browser without script shows what it gets, so it gets the page of the form's owner, whatever became of the lead. */
  protected override sendAccepted(response: ServerResponse, requestId: string, submissionId: string): void {
    if (this.#claim.noScript === null) super.sendAccepted(response, requestId, submissionId);
    else this.#redirect(response, requestId, this.#claim.noScript.thanksUrl);
  }

  protected override sendRejected(response: ServerResponse, requestId: string): void {
    if (this.#claim.noScript === null) super.sendRejected(response, requestId);
    else this.#redirect(response, requestId, this.#claim.noScript.thanksUrl);
  }

  #redirect(response: ServerResponse, requestId: string, url: string | null): void {
    if (url !== null && URL.canParse(url)) answerSeeOther(response, requestId, new URL(url).href);
    else answerRefused(response, requestId);
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
