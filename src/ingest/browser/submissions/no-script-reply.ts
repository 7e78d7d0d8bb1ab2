import type { IncomingMessage, ServerResponse } from 'node:http';
import { answerRefused, answerSeeOther } from '../../../http/answers.ts';
import { NodeReply } from '../../../http/plain/reply.ts';

/** A browser without script shows what it gets, so it gets the page of the form's owner, whatever became of the lead. */
export class NoScriptReply extends NodeReply {
  readonly #thanksUrl: string | null;

  constructor(request: IncomingMessage, response: ServerResponse, thanksUrl: string | null) {
    super(request, response);
    this.#thanksUrl = thanksUrl;
  }

  override accepted(requestId: string): void {
    this.#redirect(requestId);
  }

  override rejected(requestId: string): void {
    this.#redirect(requestId);
  }

  #redirect(requestId: string): void {
    const url = this.#thanksUrl;
    if (url !== null && URL.canParse(url)) answerSeeOther(this.response(), requestId, new URL(url).href);
    else answerRefused(this.response(), requestId);
  }
}
