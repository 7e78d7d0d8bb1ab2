import * as contract from '../../contract/people.ts';
import { WrongPassword } from '../accounts/auth-problems.ts';
import { SignInLimited } from '../accounts/sign-in-limit.ts';
import type { EventKind } from '../audit/events/security-event.ts';
import { Problem } from '../calls/problem.ts';
import { route } from '../calls/route.ts';

export const passwordCheckRoutes = [
  route(contract.checkPassword, async ({ principal, client, body }, { accounts, events }) => {
    if (principal.kind !== 'person' || principal.session === undefined)
      throw new Problem('unauthorized', 'Sign in first.');
    const { person, session } = principal;
    const { address } = client;
    const attempt = { email: person.email, address };
    const note = (kind: EventKind) => events.note({ kind, address, person });
    try {
      // Someone who finds an open browser gets no more guesses at the password than anyone else.
      await accounts.limit.take(attempt);
      await accounts.provePassword(client, session.id, body.password);
    } catch (error) {
      if (error instanceof SignInLimited) note('signInLimited');
      else if (error instanceof WrongPassword) note('passwordCheckFailed');
      throw error;
    }
    await accounts.limit.succeeded(attempt);
    note('passwordConfirmed');
  }),
];
