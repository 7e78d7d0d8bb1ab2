import { type PasswordOwner, passwordProblem } from '../../../domain/secrets/password.ts';
import { readTable } from '../../../domain/words/word-table.ts';
import { invalidInput } from '../../calls/problem.ts';

/** Passwords that attackers try first, and words that they extend with digits. The file says where they come from. */
const file = new URL('common-passwords.txt', import.meta.url);
let common: ReadonlySet<string> | undefined;

/** Throws if a password is too weak; `field` is its name in the request. */
export function requireGoodPassword(password: string, person: PasswordOwner, field: string): void {
  common ??= readCommon();
  const message = passwordProblem(password, person, common);
  if (message !== null) throw invalidInput([{ field, message }]);
}

function readCommon(): ReadonlySet<string> {
  const words = new Set<string>();
  readTable(file, (word) => words.add(word));
  return words;
}
