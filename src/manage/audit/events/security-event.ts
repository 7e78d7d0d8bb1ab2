/** What is kept of who came in, who did not, and who tried what; the names are those of the log and of the audit log. */
export type EventKind =
  | 'signIn'
  | 'signInFailed'
  | 'signInLimited'
  | 'passwordChanged'
  | 'accessRefused'
  | 'operatorKeyWrong';

/** Never holds a password, a key, a token or anything of a lead. */
export interface SecurityEvent {
  readonly kind: EventKind;
  readonly address: string;
  /** Whose account it concerns, as it was typed. Kept only if there is such a person: people type passwords into the wrong field. */
  readonly email?: string | undefined;
  /** Whose account it concerns, where that is known already. */
  readonly person?: EventPerson;
  /** Of a refusal: in which workspace of the person. */
  readonly workspaceId?: string;
  /** The id of the operation that was refused. */
  readonly operation?: string;
}

interface EventPerson {
  readonly id: string;
  readonly email: string;
  readonly operator?: boolean;
}

/** What anybody can cause, without being anybody here. */
export function isOfStranger(kind: EventKind): boolean {
  return kind === 'signInFailed' || kind === 'signInLimited' || kind === 'operatorKeyWrong';
}
