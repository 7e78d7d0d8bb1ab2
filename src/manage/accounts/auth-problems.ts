import { passwordCharactersMax } from '../../domain/secrets/password.ts';
import { invalidInput, Problem } from '../calls/problem.ts';

/** The minimum time of a refusal, so that its duration does not reveal how many queries were made. */
export const refusalMsMin = 250;

/** A separate class, because it is recorded as a security event. */
export class WrongPassword extends Problem {}

/** Translates a refusal of the account library into a problem of this API; `field` is the input that has the current password. */
export async function problemOfLibrary(answer: Response, field = 'currentPassword'): Promise<Problem> {
  const { code } = (await answer.json().catch(() => ({}))) as { code?: string };
  switch (code) {
    case 'INVALID_EMAIL_OR_PASSWORD':
      return new WrongPassword('wrong_credentials', 'Check your email and password, then try again.');
    case 'INVALID_PASSWORD':
      return new WrongPassword('invalid_input', `${field}: wrong password.`, {
        errors: [{ field, message: 'wrong password' }],
      });
    case 'PASSWORD_TOO_LONG':
      return invalidInput([
        { field: 'password', message: `must have at most ${passwordCharactersMax} characters` },
      ]);
    case 'UNAUTHORIZED':
      return new Problem('unauthorized', 'Sign in first.');
    default:
      throw new Error(`The account library answered ${answer.status} ${code ?? ''}`);
  }
}
