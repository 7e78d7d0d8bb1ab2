import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import type { BodyShape } from '../domain/lead/body-shape.ts';
import { largeBodyBytes } from '../domain/lead/lead.ts';
import type { IngestOutcome } from '../domain/rejection.ts';
import type { Surface } from '../domain/surface.ts';
import type { Destination } from '../http/paths.ts';
import { nextRequestId } from '../http/request-id.ts';
import { authenticate, identifyBearer, identifyWebhook } from './authenticate.ts';
import { type CommitDeps, commit } from './commit/commit.ts';
import { type ReplayDeps, replayOr } from './commit/replay.ts';
import { Judgement, type ScoreDeps } from './commit/score.ts';
import type { Directory } from './directory/directory.ts';
import type { HeaderReader } from './headers.ts';
import type { HeavyLeads } from './heavy/heavy-leads.ts';
import type { Diagnostics } from './outcomes/diagnostics.ts';
import { lightShape, parse, readKey, unstorable } from './parse.ts';
import { receive } from './receive.ts';
import { type Outcome, Responder } from './respond.ts';
import {
  type Arrival,
  type Keyed,
  KeyedBodyRejection,
  type Received,
  Rejection,
  type Scored,
} from './submission.ts';

export interface IngestDeps extends CommitDeps, ReplayDeps, ScoreDeps {
  readonly directory: Directory;
  readonly heavy: HeavyLeads;
  readonly diagnostics: Diagnostics;
  readonly readHeaders: HeaderReader;
  readonly log: Logger;
  readonly onOutcome: (surface: Surface, outcome: IngestOutcome) => void;
}

export type IngestDestination = Extract<Destination, { kind: 'server' | 'webhook' }>;
export type IngestHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  destination: IngestDestination,
) => void;

/** What large bodies may take of a turn of the event loop, except for the last of them. */
const largeMsMax = 2;

/** A request that has come in to its end, or as far as it had to, and how to answer it. */
interface Whole {
  readonly received: Received | Rejection;
  readonly answer: (outcome: Outcome) => void;
  readonly fault: (error: unknown) => void;
}

/** The path of a lead, from its first byte to its answer. Stages are below; every branch is here. */
export function createIngest(deps: IngestDeps): IngestHandler {
  const { directory, committer, clock } = deps;
  const responder = new Responder(deps);

  /** All at once: no promise and no turn of the event loop, so that a rejection costs as little as it can. */
  function identify(received: Received): Keyed | Rejection {
    const sender = authenticate(received, deps);
    return sender instanceof Rejection ? sender : readKey(sender);
  }

  function prepare(keyed: Keyed, shape: BodyShape): Scored | Rejection {
    const parsed = parse(keyed, shape);
    if (parsed instanceof Rejection) return parsed;
    const judgement = new Judgement(parsed, deps);
    return { parsed, judgement: shape.bytes > largeBodyBytes ? judgement.judgeNow() : judgement };
  }

  /** Parsed and judged in a thread, in its turn. */
  async function prepareHeavy(keyed: Keyed): Promise<Scored | Outcome> {
    const outcome = await deps.heavy.judge(keyed);
    if (outcome.kind === 'fault') return unstorable(keyed, outcome.fault);
    if (outcome.kind === 'unavailable') return { sender: keyed.sender, outcome: { kind: 'unavailable' } };
    return { parsed: { keyed, lead: outcome }, judgement: outcome };
  }

  function take(whole: Whole): void {
    const { received, answer, fault } = whole;
    try {
      const keyed = received instanceof Rejection ? received : identify(received);
      if (keyed instanceof Rejection) {
        answer(keyed);
        return;
      }
      const shape = lightShape(keyed);
      if (shape !== null) conclude(prepare(keyed, shape), whole);
      else
        prepareHeavy(keyed)
          .then((prepared) => conclude(prepared, whole))
          .catch(fault);
    } catch (error) {
      fault(error);
    }
  }

  function conclude(prepared: Scored | Outcome, { answer, fault }: Whole): void {
    // A key that was accepted before makes any body a replay. For bodies that can be stored, the commit sees to it.
    if (prepared instanceof KeyedBodyRejection) replayOr(prepared, deps).then(answer).catch(fault);
    // Claims the key, counts against the limits and stores the lead, in one transaction.
    else if ('parsed' in prepared) commit(prepared, deps, answer);
    else answer(prepared);
  }

  let waiting: Whole[] = [];
  let large: Whole[] = [];
  const later = () => void clock.turn().then(takeAll);
  /**
   * Those that came in whole during one turn of the event loop, one after another: see docs/performance.md. Large ones
   * let the others go first, and many of them take several turns.
   */
  function takeAll(): void {
    const taken = waiting;
    waiting = [];
    for (const whole of taken) {
      if (isLarge(whole)) large.push(whole);
      else take(whole);
    }
    if (large.length > 0) takeLarge();
    if (large.length > 0) later();
  }

  function takeLarge(): void {
    const endsAt = clock.monotonic() + largeMsMax;
    let count = 0;
    do take(large[count++] as Whole);
    while (count < large.length && clock.monotonic() < endsAt);
    large = large.slice(count);
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
      if (waiting.push({ received, answer, fault }) === 1 && large.length === 0) later();
    });
  };
}

function isLarge({ received }: Whole): boolean {
  return !(received instanceof Rejection) && received.body.length > largeBodyBytes;
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
