import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import type { IngestOutcome } from '../domain/rejection.ts';
import type { Surface } from '../domain/surface.ts';
import { answerAccepted, answerRejected } from '../http/answers.ts';
import type { CommitOutcome } from './commit/group-commit.ts';
import type { Diagnostics } from './outcomes/diagnostics.ts';
import { type Arrival, type Authenticated, Rejection } from './submission.ts';

/** How an authenticated submission ended. */
export interface Answered {
  readonly sender: Authenticated;
  readonly outcome: CommitOutcome;
  /** True when the lead was stored although its signature had made one before. */
  readonly isSignatureRepeated?: boolean;
}

export type Outcome = Answered | Rejection;

export interface ResponderDeps {
  readonly diagnostics: Diagnostics;
  readonly log: Logger;
  readonly onOutcome: (surface: Surface, outcome: IngestOutcome) => void;
}

/** Turns an outcome into one of the two answers, or into none, and records it. */
export class Responder {
  readonly #deps: ResponderDeps;

  constructor(deps: ResponderDeps) {
    this.#deps = deps;
  }

  answer(request: IncomingMessage, response: ServerResponse, arrival: Arrival, outcome: Outcome): void {
    // An oversized body that is still coming: answer, and do not wait for its end.
    if (!request.complete) response.shouldKeepAlive = false;
    if (outcome instanceof Rejection) this.#reject(response, arrival, outcome);
    else this.#answerCommit(request, response, arrival, outcome);
  }

  /** Something of ours failed: no answer, so that the sender tries again. */
  fault(request: IncomingMessage, arrival: Arrival, error: unknown): void {
    this.#deps.log.error({ err: error, request_id: arrival.requestId }, 'an ingest request failed');
    this.#record(arrival, 'fault');
    request.socket.destroy();
  }

  #reject(response: ServerResponse, arrival: Arrival, rejection: Rejection): void {
    answerRejected(response, arrival.requestId);
    this.#deps.diagnostics.rejected(arrival, rejection);
    this.#record(arrival, rejection.reason);
  }

  #answerCommit(
    request: IncomingMessage,
    response: ServerResponse,
    arrival: Arrival,
    { sender, outcome, isSignatureRepeated }: Answered,
  ): void {
    switch (outcome.kind) {
      case 'stored':
        answerAccepted(response, arrival.requestId, outcome.submissionId);
        this.#deps.diagnostics.accepted(sender);
        if (isSignatureRepeated) this.#deps.diagnostics.signatureRepeated(sender, outcome.submissionId);
        this.#record(arrival, 'accepted');
        break;
      case 'replayed':
        answerAccepted(response, arrival.requestId, outcome.submissionId);
        if (!outcome.isSameBody) this.#deps.diagnostics.bodyDiffers(sender, outcome.submissionId);
        this.#record(arrival, 'replayed');
        break;
      case 'rate_limited':
        this.#reject(response, arrival, new Rejection(outcome.reason));
        break;
      case 'unavailable':
        this.#record(arrival, 'unavailable');
        request.socket.destroy();
        break;
    }
  }

  #record(arrival: Arrival, outcome: IngestOutcome): void {
    this.#deps.onOutcome(arrival.surface, outcome);
    if (this.#deps.log.isLevelEnabled('debug')) {
      const { requestId, surface } = arrival;
      this.#deps.log.debug({ request_id: requestId, surface, outcome }, 'ingest request');
    }
  }
}
