import type { Clock } from '../time/clock.ts';
import { judgeToken, type TokenProof } from './bearer-token.ts';
import type { Directory, FormEntry, TokenEntry, WorkspaceEntry } from './directory/directory.ts';
import type { Received } from './receive.ts';
import { Rejection } from './rejection.ts';
import { judgeSignature, type SignatureProof, type VerifiedSignature } from './webhook-signature.ts';

export interface AuthenticateDeps {
  readonly directory: Directory;
  readonly clock: Clock;
}

/** A request whose sender is who it says. */
class Authenticated {
  declare protected readonly stage: 'authenticated';
  readonly received: Received;
  readonly workspace: WorkspaceEntry;
  readonly form: FormEntry;
  readonly token: TokenEntry | null;
  /** On Surface 1b: what was proven. */
  readonly signature: VerifiedSignature | null;

  constructor(received: Received, { workspace, form, token, signature }: TokenProof | SignatureProof) {
    this.received = received;
    this.workspace = workspace;
    this.form = form;
    this.token = token;
    this.signature = signature;
  }
}

export type { Authenticated };

/** By token or by signature, from the directory in memory: no query. */
export function authenticate(
  received: Received,
  { directory, clock }: AuthenticateDeps,
): Authenticated | Rejection {
  const { surface, identity, at } = received.arrival;
  const proof =
    surface === 'server' ? judgeToken(identity, directory, at) : judgeSignature(received, directory, clock);
  return proof instanceof Rejection ? proof : new Authenticated(received, proof);
}
