import { readFile } from 'node:fs/promises';
import { type PasswordOwner, passwordFault } from '../../domain/password.ts';
import { invalidInput } from '../problem.ts';

/** Written by hand: what is tried first, and the words that others are made of by adding digits. */
const file = new URL('common-passwords.txt', import.meta.url);
let common: Promise<ReadonlySet<string>> | undefined;

/** Throws when a password is not good enough; `field` is what the caller calls it. */
export async function requireGoodPassword(
  password: string,
  person: PasswordOwner,
  field: string,
): Promise<void> {
  common ??= readFile(file, 'utf8').then((text) => new Set(text.trimEnd().split('\n')));
  const message = passwordFault(password, person, await common);
  if (message !== null) throw invalidInput([{ field, message }]);
}
