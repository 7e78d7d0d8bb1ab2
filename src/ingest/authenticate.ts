import type { Clock } from '../time/clock.ts';
import { authenticateBearer, findToken } from './bearer-token.ts';
import type { Directory } from './directory/directory.ts';
import type { IngestHeaders } from './headers.ts';
import { type Authenticated, type Identity, type Received, Rejection } from './submission.ts';
import { authenticateWebhook } from './webhook-signature.ts';

/** Whom the request names. Needs no body, so that also what is refused early reaches the right diagnostics. */
export function identifyBearer(headers: IngestHeaders, directory: Directory): Identity {
  const found = findToken(headers.authorization, directory);
  return found instanceof Rejection
    ? { token: null, fault: found, forms: [] }
    : { token: found, fault: null, forms: [] };
}

export function identifyWebhook(slug: string | null, directory: Directory): Identity {
  return { token: null, fault: null, forms: slug === null ? [] : directory.formsBySlug(slug) };
}

export interface AuthenticateDeps {
  readonly directory: Directory;
  readonly clock: Clock;
}

export function authenticate(
  received: Received,
  { directory, clock }: AuthenticateDeps,
): Authenticated | Rejection {
  return received.arrival.surface === 'server'
    ? authenticateBearer(received, directory)
    : authenticateWebhook(received, directory, clock);
}
