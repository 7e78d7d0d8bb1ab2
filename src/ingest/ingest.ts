import type { IncomingMessage, ServerResponse } from 'node:http';
import { isHeavy, shapeOf } from '../domain/lead/body-shape.ts';
import { largeBodyBytes } from '../domain/lead/lead.ts';
import type { SubmissionIds } from '../domain/lead/submission-id.ts';
import type { Surface } from '../domain/surface.ts';
import type { PlainRequest } from '../http/plain/plain-request.ts';
import { NodeReply, type Reply } from '../http/plain/reply.ts';
import { TurnQueue } from '../time/turn-queue.ts';
import { type ArriveDeps, arrive, type IngestDestination } from './arrive.ts';
import { type AuthenticateDeps, authenticate } from './authenticate.ts';
import { answerDummy, type DummyDeps } from './browser/submissions/dummy-submission.ts';
import { NoScriptReply } from './browser/submissions/no-script-reply.ts';
import { PageRejectionUnlessRepeat } from './browser/submissions/page.ts';
import type { PageClaim } from './browser/submissions/page-claim.ts';
import { PageExchange, type PageRespondDeps } from './browser/submissions/page-exchange.ts';
import { type Committer, signedIdOf } from './commit/committer.ts';
import type { Originals } from './commit/duplicates/originals.ts';
import type { HeavyLeads, HeavyParsed } from './heavy/heavy-leads.ts';
import { type Keyed, type Parsed, parse, RejectionUnlessRepeat, readKey, unstorable } from './parse.ts';
import { type Received, receive, receiveWhole } from './receive.ts';
import { Rejection } from './rejection.ts';
import { Exchange } from './respond.ts';

export interface IngestDeps extends ArriveDeps, AuthenticateDeps, PageRespondDeps, DummyDeps {
  readonly heavy: HeavyLeads;
  readonly committer: Committer;
  readonly originals: Originals;
  readonly ids: SubmissionIds;
}

export interface Ingest {
  /** Takes a request whose body is still to be read. */
  read(request: IncomingMessage, response: ServerResponse, destination: IngestDestination): void;
  /** Takes one that was read completely, from a backend or a webhook. */
  take(request: PlainRequest, reply: Reply): void;
}

/** A request that was read as far as necessary, and the exchange that waits for the response. */
interface Whole {
  readonly received: Received | Rejection;
  readonly exchange: Exchange;
}

/**
 * The path of a lead, from its first byte to the response. Every branch between the stages, up to `submit`, is in this file.
 *
 *   arrive          reads the headers and finds the token or form they name. On the browser surface, a token is checked
 *                   here, because only then is it known whose it is
 *   receive         checks method, size and encoding, and reads the body, unless it came with the headers in one packet
 *                   (http/plain/)
 *   ─ TurnQueue     handles all requests that became complete in one turn of the event loop together
 *   authenticate    checks the token or signature
 *   readKey         checks that the form is active, and the content type, and reads the idempotency key
 *   parse           turns the body into a lead
 *   ─ HeavyLeads    replaces parse for bodies with so many values that they would block other requests, whatever their
 *                   size: a thread parses and scores them
 *   submit          gives the lead its id and sends it to PostgreSQL, or to the spool while PostgreSQL is down. Large leads
 *                   are scored here, so that a batch does not score many of them in a row
 *   ─ Lane          take → score → commit → answer, for a batch of leads (commit/lane/lane.ts)
 *   ─ Spool         score → write → answer (spool/spool.ts)
 *
 * Any stage can end the request with a Rejection. If the sender is proven, its lead may be stored already: a repeat gets the
 * 202 that its original got, although the form was switched off meanwhile, or the content type or the body is wrong. To keep rejections cheap, no promise and no turn of the event loop lies
 * between the TurnQueue and the next queue.
 */
export function createIngest(deps: IngestDeps): Ingest {
  const { clock, committer, directory, heavy, ids, originals } = deps;
  const turnQueue = new TurnQueue<Whole>({ clock, isLarge, take: handle, largeMsMax: 2 });

  function handle({ received, exchange }: Whole): void {
    try {
      const keyed = admit(received);
      if (keyed instanceof Rejection) {
        reject(keyed, exchange);
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
    if (parsed instanceof Rejection) reject(parsed, exchange);
    // One transaction claims the key, counts against the limits and stores the lead. It also finds the original of a repeat.
    else committer.submit(parsed, exchange);
  }

  function reject(rejection: Rejection, exchange: Exchange): void {
    if (rejection instanceof RejectionUnlessRepeat) void acceptRepeatOrReject(rejection, exchange);
    else if (rejection instanceof PageRejectionUnlessRepeat)
      void acceptPageRepeatOrReject(rejection, exchange);
    else exchange.reject(rejection);
  }

  async function acceptRepeatOrReject(rejection: RejectionUnlessRepeat, exchange: Exchange): Promise<void> {
    try {
      const { sender, key } = rejection;
      const id = signedIdOf(sender, key, ids);
      const repeat = { workspace: sender.workspace, key, signed: id === null ? null : { id } };
      const duplicate = await originals.find(repeat);
      if (duplicate === null) exchange.reject(rejection);
      else exchange.answer({ sender, result: duplicate });
    } catch (error) {
      exchange.fail(error);
    }
  }

  async function acceptPageRepeatOrReject(
    rejection: PageRejectionUnlessRepeat,
    exchange: Exchange,
  ): Promise<void> {
    try {
      const duplicate = await originals.find({ ...rejection, signed: null });
      if (duplicate?.kind === 'unavailable') exchange.leave();
      else if (duplicate?.isSameBody) exchange.acceptAgain(duplicate.submissionId);
      else exchange.reject(rejection);
    } catch (error) {
      exchange.fail(error);
    }
  }

  /**
   * Before the directory is loaded, no credential can be checked. While neither PostgreSQL nor the spool can store a lead,
   * any work would only delay others. The sender gets no response and tries again.
   */
  function isServed(surface: Surface, reply: Reply): boolean {
    const isKnown = surface === 'browser' ? directory.knowsPages : directory.isLoaded;
    if (isKnown && committer.isTaking) return true;
    deps.onOutcome(surface, 'unavailable');
    reply.close();
    return false;
  }

  return {
    read(request, response, destination) {
      const reply = new NodeReply(request, response);
      if (!isServed(destination.kind === 'no-script' ? 'browser' : destination.kind, reply)) return;
      const arrival = arrive(request, destination, deps);
      const claim = arrival.identity.page;
      if (claim !== null && claim.dummy !== null) {
        receive(request, arrival, (received) => answerDummy(received, { arrival, claim }, reply, deps));
        return;
      }
      const exchange =
        claim === null
          ? new Exchange(reply, arrival, deps)
          : new PageExchange(pageReply(request, response, claim), arrival, claim, deps);
      receive(request, arrival, (received) => turnQueue.add({ received, exchange }));
    },
    take(request, reply) {
      const { destination, body } = request;
      if (!isServed(destination.kind, reply)) return;
      const arrival = arrive(request, destination, deps);
      const received = receiveWhole(arrival, body);
      turnQueue.add({ received, exchange: new Exchange(reply, arrival, deps) });
    },
  };
}

function pageReply(request: IncomingMessage, response: ServerResponse, { noScript }: PageClaim): Reply {
  return noScript === null
    ? new NodeReply(request, response)
    : new NoScriptReply(request, response, noScript.thanksUrl);
}

function isLarge({ received }: Whole): boolean {
  return !(received instanceof Rejection) && received.body.length > largeBodyBytes;
}
