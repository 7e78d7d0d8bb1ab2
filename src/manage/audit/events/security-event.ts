/** Security events: sign-ins, failures and denied calls. The service log and the audit log use these names. */
export type EventKind =
  | 'signIn'
  | 'signInFailed'
  | 'signInLimited'
  | 'passwordChanged'
  | 'sessionEnded'
  | 'otherSessionsEnded'
  | 'passwordConfirmed'
  | 'passwordCheckFailed'
  | 'accessRefused'
  | 'operatorKeyWrong';

/** Never holds a password, a key, a token or lead data. */
export interface SecurityEvent {
  readonly kind: EventKind;
  readonly address: string;
  /** The email as typed. Kept only if that person exists: people type passwords into the wrong field. */
  readonly email?: string | undefined;
  /** The person it concerns, if already known. */
  readonly person?: EventPerson;
  /** The API key that was used, if no person was. */
  readonly apiKey?: EventKey;
  /** For a denied call: in which workspace of the person. */
  readonly workspaceId?: string;
  /** The operation id of a denied call. */
  readonly operation?: string;
}

interface EventPerson {
  readonly id: string;
  readonly email: string;
  readonly operator?: boolean;
}

interface EventKey {
  readonly id: string;
  readonly name: string;
}

/** Events that unauthenticated senders can cause. */
export function isOfStranger(kind: EventKind): boolean {
  return kind === 'signInFailed' || kind === 'signInLimited' || kind === 'operatorKeyWrong';
}
