import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import type { score } from '../domain/score/score.ts';
import type { Destination } from '../http/paths.ts';
import { authenticate, identifyBearer, identifyWebhook } from './authenticate.ts';
import { commit } from './commit.ts';
import type { Diagnostics } from './diagnostics.ts';
import type { Directory } from './directory.ts';
import type { GroupCommit } from './group-commit.ts';
import type { HeaderReader } from './headers.ts';
import { parse, readKey } from './parse.ts';
import { receive, senderGone } from './receive.ts';
import { findReplay } from './replay.ts';
import { type Outcome, Responder } from './respond.ts';
import { type Arrival, Rejection } from './submission.ts';

export interface IngestDeps {
  readonly directory: Directory;
  readonly groupCommit: GroupCommit;
  readonly diagnostics: Diagnostics;
  readonly score: typeof score;
  readonly readHeaders: HeaderReader;
  readonly pool: pg.Pool;
  readonly clock: Clock;
  readonly log: Logger;
  readonly onOutcome: (surface: string, outcome: string) => void;
}

export type IngestDestination = Extract<Destination, { kind: 'server' | 'webhook' }>;
export type IngestHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  destination: IngestDestination,
) => Promise<void>;

/** The path of a lead, from its first byte to its answer. Stages are below; every branch is here. */
export function createIngest(deps: IngestDeps): IngestHandler {
  const { directory, groupCommit } = deps;
  const responder = new Responder(deps);

  async function ingest(request: IncomingMessage, arrival: Arrival): Promise<Outcome> {
    const received = await receive(request, arrival);
    if (received === senderGone || received instanceof Rejection) return received;

    const sender = authenticate(received, directory);
    if (sender instanceof Rejection) return sender;

    const keyed = readKey(sender);
    if (keyed instanceof Rejection) return keyed;

    const parsed = parse(keyed);
    // A replay is recognised before the body is judged. All others are recognised by the commit itself.
    if (parsed instanceof Rejection) return (await findReplay(keyed, deps)) ?? parsed;

    const score = deps.score(parsed.lead.fields, sender.form);
    // Claims the key, counts against the limits and stores the lead, in one transaction.
    const outcome = await commit({ parsed, score }, groupCommit);
    return { sender, outcome };
  }

  return async (request, response, destination) => {
    const arrival = arrive(request, destination, deps);
    try {
      responder.answer(request, response, arrival, await ingest(request, arrival));
    } catch (error) {
      responder.fault(request, arrival, error);
    }
  };
}

function arrive(request: IncomingMessage, destination: IngestDestination, deps: IngestDeps): Arrival {
  const headers = deps.readHeaders(request.rawHeaders);
  const isServer = destination.kind === 'server';
  return {
    requestId: randomUUID(),
    at: deps.clock.now(),
    surface: destination.kind,
    method: request.method ?? '',
    headers,
    identity: isServer
      ? identifyBearer(headers, deps.directory)
      : identifyWebhook(destination.slug, deps.directory),
  };
}
