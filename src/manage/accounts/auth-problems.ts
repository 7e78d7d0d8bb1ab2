import { passwordCharactersMax } from '../../domain/secrets/password.ts';
import { invalidInput, Problem } from '../calls/problem.ts';

/** A separate class, because it is recorded as a security event. */
export class WrongPassword extends Problem {}

/** Translates a refusal of the account library into a problem of this API. */
export async function problemOfLibrary(answer: Response): Promise<Problem> {
  const { code } = (await answer.json().catch(() => ({}))) as { code?: string };
  switch (code) {
    case 'INVALID_EMAIL_OR_PASSWORD':
      return new WrongPassword('wrong_credentials', 'Check your email and password, then try again.');
    case 'INVALID_PASSWORD':
      return new WrongPassword('invalid_input', 'currentPassword: wrong password.', {
        errors: [{ field: 'currentPassword', message: 'wrong password' }],
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
