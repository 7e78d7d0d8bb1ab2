import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import type { Destination } from '../http/paths.ts';
import { nextRequestId } from '../http/request-id.ts';
import { authenticate, identifyBearer, identifyWebhook } from './authenticate.ts';
import { type CommitDeps, commit } from './commit.ts';
import type { Diagnostics } from './diagnostics.ts';
import type { Directory } from './directory.ts';
import type { HeaderReader } from './headers.ts';
import { parse, readKey } from './parse.ts';
import { receive } from './receive.ts';
import { type ReplayDeps, replayOr } from './replay.ts';
import { type Outcome, Responder } from './respond.ts';
import { Judgement, type ScoreDeps } from './score.ts';
import { type Arrival, KeyedBodyRejection, type Received, Rejection, type Scored } from './submission.ts';

export interface IngestDeps extends CommitDeps, ReplayDeps, ScoreDeps {
  readonly directory: Directory;
  readonly diagnostics: Diagnostics;
  readonly readHeaders: HeaderReader;
  readonly log: Logger;
  readonly onOutcome: (surface: string, outcome: string) => void;
}

export type IngestDestination = Extract<Destination, { kind: 'server' | 'webhook' }>;
export type IngestHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  destination: IngestDestination,
) => void;

/** A request that has come in to its end, or as far as it had to, and how to answer it. */
interface Whole {
  readonly received: Received | Rejection;
  readonly answer: (outcome: Outcome) => void;
  readonly fault: (error: unknown) => void;
}

/** The path of a lead, from its first byte to its answer. Stages are below; every branch is here. */
export function createIngest(deps: IngestDeps): IngestHandler {
  const { directory, committer } = deps;
  const responder = new Responder(deps);

  /** All at once: no promise and no turn of the event loop, so that a rejection costs as little as it can. */
  function prepare(received: Received): Scored | Rejection {
    const sender = authenticate(received, deps);
    if (sender instanceof Rejection) return sender;

    const keyed = readKey(sender);
    if (keyed instanceof Rejection) return keyed;

    const parsed = parse(keyed);
    if (parsed instanceof Rejection) return parsed;

    return { parsed, judgement: new Judgement(parsed, deps) };
  }

  function take({ received, answer, fault }: Whole): void {
    try {
      const prepared = received instanceof Rejection ? received : prepare(received);
      // A key that was accepted before makes any body a replay. For bodies that can be stored, the commit sees to it.
      if (prepared instanceof KeyedBodyRejection) replayOr(prepared, deps).then(answer).catch(fault);
      else if (prepared instanceof Rejection) answer(prepared);
      // Claims the key, counts against the limits and stores the lead, in one transaction.
      else commit(prepared, deps, answer);
    } catch (error) {
      fault(error);
    }
  }

  let waiting: Whole[] = [];
  /** Those that came in whole during one turn of the event loop, one after another: see docs/performance.md. */
  function takeAll(): void {
    const taken = waiting;
    waiting = [];
    for (const whole of taken) take(whole);
  }

  return (request, response, destination) => {
    // Before the first look into the database nobody can be told from anybody, and without a place to keep a lead
    // every further step is in vain and holds up those that can be kept. The sender tries again.
    if (!directory.isLoaded || !committer.isTaking) {
      deps.onOutcome(destination.kind, 'unavailable');
      request.socket.destroy();
      return;
    }
    const arrival = arrive(request, destination, deps);
    const answer = (outcome: Outcome) => responder.answer(request, response, arrival, outcome);
    const fault = (error: unknown) => responder.fault(request, arrival, error);

    receive(request, arrival, (received) => {
      if (waiting.push({ received, answer, fault }) === 1) setImmediate(takeAll);
    });
  };
}

function arrive(request: IncomingMessage, destination: IngestDestination, deps: IngestDeps): Arrival {
  const headers = deps.readHeaders(request);
  const isServer = destination.kind === 'server';
  return {
    requestId: nextRequestId(),
    at: deps.clock.now(),
    surface: destination.kind,
    method: request.method ?? '',
    headers,
    identity: isServer
      ? identifyBearer(headers, deps.directory)
      : identifyWebhook(destination.slug, deps.directory),
  };
}
