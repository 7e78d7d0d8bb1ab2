import { readFile } from 'node:fs/promises';
import { type PasswordOwner, passwordFault } from '../../../domain/secrets/password.ts';
import { invalidInput } from '../../calls/problem.ts';

/** What is tried first, and the words that others are made of by adding digits; its head says where it comes from. */
const file = new URL('common-passwords.txt', import.meta.url);
let common: Promise<ReadonlySet<string>> | undefined;

/** Throws when a password is not good enough; `field` is what the caller calls it. */
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
