import { readFile } from 'node:fs/promises';
import { type PasswordOwner, passwordFault } from '../../../domain/secrets/password.ts';
import { invalidInput } from '../../calls/problem.ts';

/** Passwords that attackers try first, and words that they extend with digits. The file says where they come from. */
const file = new URL('common-passwords.txt', import.meta.url);
let common: Promise<ReadonlySet<string>> | undefined;

/** Throws if a password is too weak; `field` is its name in the request. */
export async function requireGoodPassword(
  password: string,
  person: PasswordOwner,
  field: string,
): Promise<void> {
  common ??= readFile(file, 'utf8').then((text) => listed(text));
  const message = passwordFault(password, person, await common);
  if (message !== null) throw invalidInput([{ field, message }]);
}

function listed(text: string): ReadonlySet<string> {
  return new Set(text.split('\n').filter((line) => line !== '' && !line.startsWith('#')));
}
