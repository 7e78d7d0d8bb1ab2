import { passwordCharactersMax } from '../../domain/secrets/password.ts';
import { invalidInput, Problem } from '../calls/problem.ts';

/** Told apart from other refusals, because it is noted. */
export class WrongPassword extends Problem {}

/** What the account library refused, in the words of this API. */
export async function problemOfLibrary(answer: Response): Promise<Problem> {
  const { code } = (await answer.json().catch(() => ({}))) as { code?: string };
  switch (code) {
    case 'INVALID_EMAIL_OR_PASSWORD':
      return new WrongPassword('wrong_credentials', 'Check both and try again.');
    case 'INVALID_PASSWORD':
      return new WrongPassword('invalid_input', 'currentPassword: is wrong.', {
        errors: [{ field: 'currentPassword', message: 'is wrong' }],
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
