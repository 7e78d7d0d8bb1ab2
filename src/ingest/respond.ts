import type { Logger } from 'pino';
import type { IngestOutcome } from '../domain/rejection.ts';
import type { Surface } from '../domain/surface.ts';
import type { Reply } from '../http/plain/reply.ts';
import type { Arrival } from './arrive.ts';
import { type Authenticated, proofOf } from './authenticate.ts';
import type { CommitResult } from './commit/commit-result.ts';
import type { GoogleCalls } from './google-calls.ts';
import type { Diagnostics } from './outcomes/diagnostics.ts';
import { ProvenRejection, type Rejection, SignatureRejection } from './rejection.ts';

/** How an authenticated submission ended. */
export interface Answer {
  readonly sender: Authenticated;
  readonly result: CommitResult;
  /** True when a lead was stored although an earlier one had the same signature. */
  readonly isReplay?: boolean;
  /** True when a lead was stored whose verdict is spam. */
  readonly isSpam?: boolean;
}

export interface RespondDeps {
  readonly diagnostics: Diagnostics;
  readonly googleCalls: GoogleCalls;
  readonly log: Logger;
  readonly onOutcome: (surface: Surface, outcome: IngestOutcome) => void;
}

/** A request that waits for its response: accepted, rejected, or a closed connection. Records the outcome. */
export class Exchange {
  readonly #reply: Reply;
  readonly #arrival: Arrival;
  readonly #deps: RespondDeps;

  constructor(reply: Reply, arrival: Arrival, deps: RespondDeps) {
    this.#reply = reply;
    this.#arrival = arrival;
    this.#deps = deps;
  }

  reject(rejection: Rejection): void {
    this.#reply.rejected(this.#arrival.requestId);
    const { diagnostics, googleCalls } = this.#deps;
    const known =
      rejection instanceof SignatureRejection ? googleCalls.recognise(rejection, this.#arrival) : rejection;
    diagnostics.rejected(this.#arrival, known);
    this.#record(known.reason);
  }

  answer({ sender, result, isReplay, isSpam = false }: Answer): void {
    switch (result.kind) {
      case 'stored':
        this.#reply.accepted(this.#arrival.requestId, result.submissionId);
        this.#deps.diagnostics.accepted(sender, isSpam);
        if (isReplay) this.#deps.diagnostics.replayed(sender, result.submissionId);
        this.#record('accepted');
        break;
      case 'duplicate':
        this.acceptAgain(result.submissionId);
        this.#deps.diagnostics.acceptedAgain(sender);
        if (!result.isSameBody) this.#deps.diagnostics.bodyDiffers(sender, result.submissionId);
        break;
      case 'rate_limited':
        this.reject(new ProvenRejection(result.reason, {}, proofOf(sender)));
        break;
      case 'unavailable':
        this.leave();
        break;
    }
  }

  /** The lead was accepted before. */
  acceptAgain(submissionId: string): void {
    this.#reply.accepted(this.#arrival.requestId, submissionId);
    this.#record('replayed');
  }

  /** Nobody can say now what becomes of the lead. The sender gets no response and tries again. */
  leave(): void {
    this.#record('unavailable');
    this.#reply.close();
  }

  /** An internal error. The connection is closed without a response, so that the sender tries again. */
  fail(error: unknown): void {
    this.#deps.log.error({ err: error, request_id: this.#arrival.requestId }, 'ingest request failed');
    this.#record('fault');
    this.#reply.close();
  }

  #record(outcome: IngestOutcome): void {
    const { requestId, surface } = this.#arrival;
    this.#deps.onOutcome(surface, outcome);
    if (this.#deps.log.isLevelEnabled('debug'))
      this.#deps.log.debug({ request_id: requestId, surface, outcome }, 'ingest request');
  }
}
