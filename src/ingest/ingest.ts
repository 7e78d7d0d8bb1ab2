import type { IncomingMessage, ServerResponse } from 'node:http';
import { isHeavy, shapeOf } from '../domain/lead/body-shape.ts';
import { largeBodyBytes } from '../domain/lead/lead.ts';
import { type ArriveDeps, arrive, type IngestDestination } from './arrive.ts';
import { type AuthenticateDeps, authenticate } from './authenticate.ts';
import type { Committer } from './commit/committer.ts';
import { type FindDuplicateDeps, findDuplicate } from './commit/find-duplicate.ts';
import type { HeavyLeads, HeavyParsed } from './heavy/heavy-leads.ts';
import { type Keyed, KeyedBodyRejection, type Parsed, parse, readKey, unstorable } from './parse.ts';
import { type Received, receive } from './receive.ts';
import { Rejection } from './rejection.ts';
import { Exchange, type RespondDeps } from './respond.ts';
import { TurnQueue } from './turn-queue.ts';

export interface IngestDeps extends ArriveDeps, AuthenticateDeps, FindDuplicateDeps, RespondDeps {
  readonly heavy: HeavyLeads;
  readonly committer: Committer;
}

export type IngestHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  destination: IngestDestination,
) => void;

/** A request that has come in to its end, or as far as it had to, and who waits for its answer. */
interface Whole {
  readonly received: Received | Rejection;
  readonly exchange: Exchange;
}

/**
 * The path of a lead, from its first byte to its answer. Every branch up to `submit` is here; the stages hold none across stages.
 *
 *   arrive          whom the head of the request names
 *   receive         method, size and encoding; the whole body
 *   ─ TurnQueue     what came in whole during one turn of the event loop goes on together
 *   authenticate    by token or signature
 *   readKey         content type and idempotency key
 *   parse           the body becomes a lead
 *   ─ HeavyLeads    instead of parse, for a body of so many values that it would hold up the others, whatever its
 *                   size: parsed and scored in a thread
 *   submit          the lead gets its id and goes to PostgreSQL, or to the spool while that is away. A large one is scored
 *                   here, so that many of them are not scored in a row
 *   ─ Lane          take → score → encode → commit → answer, for all that wait together (commit/lane.ts)
 *   ─ Spool         score → write → answer (spool/spool.ts)
 *
 * Any stage can end it with a Rejection. Between the TurnQueue and the next queue there is no promise and no turn of the
 * event loop, so that a rejection costs as little as it can.
 */
export function createIngest(deps: IngestDeps): IngestHandler {
  const { clock, committer, directory, heavy } = deps;
  const turnQueue = new TurnQueue<Whole>({ clock, isLarge, take });

  function take({ received, exchange }: Whole): void {
    try {
      const keyed = admit(received);
      if (keyed instanceof Rejection) {
        exchange.reject(keyed);
        return;
      }
      const shape = shapeOf(keyed.sender.received.body, true);
      if (isHeavy(shape)) void takeHeavy(keyed, exchange);
      else submit(parse(keyed, shape), exchange);
    } catch (error) {
      exchange.fail(error);
    }
  }

  function admit(received: Received | Rejection): Keyed | Rejection {
    if (received instanceof Rejection) return received;
    const sender = authenticate(received, deps);
    return sender instanceof Rejection ? sender : readKey(sender);
  }

  async function takeHeavy(keyed: Keyed, exchange: Exchange): Promise<void> {
    try {
      const result = await heavy.parse(keyed);
      if (result.kind === 'unavailable') exchange.answer({ sender: keyed.sender, result });
      else submit(result.kind === 'unstorable' ? unstorable(keyed, result.reason) : result, exchange);
    } catch (error) {
      exchange.fail(error);
    }
  }

  function submit(parsed: Parsed | HeavyParsed | Rejection, exchange: Exchange): void {
    // A key that was accepted before makes any body a replay. For bodies that can be stored, the commit sees to it.
    if (parsed instanceof KeyedBodyRejection) void acceptDuplicateOrReject(parsed, exchange);
    else if (parsed instanceof Rejection) exchange.reject(parsed);
    // Claims the key, counts against the limits and stores the lead, in one transaction.
    else committer.submit(parsed, exchange);
  }

  async function acceptDuplicateOrReject(rejection: KeyedBodyRejection, exchange: Exchange): Promise<void> {
    try {
      const duplicate = await findDuplicate(rejection, deps);
      if (duplicate === null) exchange.reject(rejection);
      else exchange.answer({ sender: rejection.sender, result: duplicate });
    } catch (error) {
      exchange.fail(error);
    }
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
    const exchange = new Exchange(request, response, arrival, deps);
    receive(request, arrival, (received) => turnQueue.add({ received, exchange }));
  };
}

function isLarge({ received }: Whole): boolean {
  return !(received instanceof Rejection) && received.body.length > largeBodyBytes;
}
