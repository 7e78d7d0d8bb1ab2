import { hash } from 'node:crypto';
import { isHeavy, shapeOf } from '../../../domain/lead/body-shape.ts';
import { isJsonContentType } from '../../../domain/lead/content-type.ts';
import { parseLead } from '../../../domain/lead/lead.ts';
import type { Reply } from '../../../http/plain/reply.ts';
import type { Randomness } from '../../../time/randomness.ts';
import type { Arrival } from '../../arrive.ts';
import type { Received } from '../../receive.ts';
import { Rejection } from '../../rejection.ts';
import type { RespondDeps } from '../../respond.ts';
import type { PageClaim } from './page-claim.ts';
import { checkExpiry } from './prove-browser-token.ts';

export interface DummyDeps extends Pick<RespondDeps, 'onOutcome'> {
  readonly randomness: Pick<Randomness, 'uuid'>;
}

/**
 * Responds to a token of a dummy key as to any other, so that a customer can test their page. Nothing is stored, and nothing
 * is recorded but a metric.
 */
export function answerDummy(
  received: Received | Rejection,
  { arrival, claim }: { readonly arrival: Arrival; readonly claim: PageClaim },
  reply: Reply,
  { onOutcome, randomness }: DummyDeps,
): void {
  const isAccepted =
    claim.dummy === 'accepted' && !(received instanceof Rejection) && isFine(received, claim);
  if (isAccepted) reply.accepted(arrival.requestId, randomness.uuid());
  else reply.rejected(arrival.requestId);
  onOutcome('browser', isAccepted ? 'accepted' : 'form_unknown');
}

/** The checks that need no form. */
function isFine({ arrival, body }: Received, { token, headers: { origin } }: PageClaim): boolean {
  if (token === null || origin !== token.origin || checkExpiry(token, arrival.at) !== null) return false;
  if (token.bodyHash !== null && !token.bodyHash.equals(hash('sha256', body, 'buffer'))) return false;
  const shape = shapeOf(body, true);
  return (
    isJsonContentType(arrival.headers.contentType) &&
    !isHeavy(shape) &&
    typeof parseLead(body, shape) !== 'string'
  );
}
