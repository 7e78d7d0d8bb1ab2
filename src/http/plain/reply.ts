import type { IncomingMessage, ServerResponse } from 'node:http';
import { answerAccepted, answerRejected } from '../answers.ts';

/** How the sender of a lead gets its response, whoever read the request. */
export interface Reply {
  accepted(requestId: string, submissionId: string): void;
  rejected(requestId: string): void;
  /** Closes the connection without a response, so that the sender tries again. */
  close(): void;
}

/** To a request that Node's parser read. */
export class NodeReply implements Reply {
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;

  constructor(request: IncomingMessage, response: ServerResponse) {
    this.#request = request;
    this.#response = response;
  }

  accepted(requestId: string, submissionId: string): void {
    answerAccepted(this.response(), requestId, submissionId);
  }

  rejected(requestId: string): void {
    answerRejected(this.response(), requestId);
  }

  close(): void {
    this.#request.socket.destroy();
  }

  /** If an oversized body is still arriving, respond and close the connection instead of waiting for its end. */
  protected response(): ServerResponse {
    if (!this.#request.complete) this.#response.shouldKeepAlive = false;
    return this.#response;
  }
}
