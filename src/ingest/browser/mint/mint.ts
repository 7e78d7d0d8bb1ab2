import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import type { MintOutcome, MintStep } from '../../../domain/browser/mint/mint-outcome.ts';
import { answerIssued, answerRefused, answerUnavailable } from '../../../http/answers.ts';
import { addressOf, networkOf } from '../../../http/client-address.ts';
import type { MintDestination } from '../../../http/listener.ts';
import { nextRequestId } from '../../../http/request-id.ts';
import type { BrowserCounts } from '../browser-counts.ts';
import { type ExchangeDeps, exchangeChallenge } from './exchange-challenge.ts';
import { type ChallengeDeps, type Granted, issueChallenge } from './issue-challenge.ts';
import { Refused } from './issuer.ts';
import { MintTurns } from './mint-turns.ts';
import { readSmallBody } from './small-body.ts';
import { originOf, type Visit } from './visit.ts';

export interface MintDeps extends ChallengeDeps, ExchangeDeps {
  readonly counts: BrowserCounts;
  /** How many proxies are in front of the service. */
  readonly proxyCount: number;
  readonly log: Logger;
  readonly onOutcome: (step: MintStep, outcome: MintOutcome) => void;
}

export type MintHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  destination: MintDestination,
) => void;

/** Gives challenges and tokens to pages. All refusals are the same bytes; the owner of the form sees the reason. */
export function createMint(deps: MintDeps): MintHandler {
  const turns = new MintTurns(deps.clock);
  return (request, response, { kind }) => {
    const step = kind === 'challenges' ? 'challenge' : 'token';
    readSmallBody(request, (body) => {
      const visit: Visit = {
        // Any other method is refused like a body that cannot be read.
        body: request.method === 'POST' ? body : null,
        origin: originOf(request),
        network: networkOf(addressOf(request, deps.proxyCount)),
        at: deps.clock.now(),
      };
      // If an oversized body is still arriving, respond and close the connection instead of waiting for its end.
      if (!request.complete) response.shouldKeepAlive = false;
      if (turns.add(() => void serve(step, visit, response, deps))) return;
      deps.onOutcome(step, 'mint_limited');
      answerRefused(response, nextRequestId());
    });
  };
}

async function serve(step: MintStep, visit: Visit, response: ServerResponse, deps: MintDeps): Promise<void> {
  const requestId = nextRequestId();
  // Until the directory was read, every key would look unknown.
  if (!deps.directory.knowsPages) {
    deps.onOutcome(step, 'unavailable');
    answerUnavailable(response, requestId);
    return;
  }
  try {
    const result = await (step === 'challenge'
      ? issueChallenge(visit, deps)
      : exchangeChallenge(visit, deps));
    if (result instanceof Refused) answerRefused(response, requestId);
    else answerIssued(response, requestId, result.answer);
    record(step, visit, result, deps);
  } catch (error) {
    deps.log.error({ err: error, request_id: requestId }, 'request of a web page failed');
    deps.onOutcome(step, 'fault');
    if (!response.headersSent) answerRefused(response, requestId);
  }
}

const grantedSteps = { challenge: 'challenged', token: 'minted' } as const;

function record(step: MintStep, visit: Visit, result: Granted | Refused, deps: MintDeps): void {
  const isRefused = result instanceof Refused;
  const form = isRefused ? result.form : result.issuer.form;
  const granted = form === null ? 'dummy' : 'granted';
  deps.onOutcome(step, isRefused ? result.reason : granted);
  if (form === null) return;
  const counted = isRefused ? `refused:${result.reason}` : grantedSteps[step];
  deps.counts.count(form, visit.origin ?? '', counted, visit.at);
}
