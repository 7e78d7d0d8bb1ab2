export const passwordCharactersMin = 10;
export const passwordCharactersMax = 128;

const differentCharactersMin = 5;
// "welcome2026!" is "welcome" with what everybody adds.
const additions = /[\d\W_]{1,6}$/;

/**
 * What is wrong with a password, or null. No rules about kinds of characters: they make passwords worse. `common` holds
 * passwords in lower case that are tried first by whoever guesses.
 */
export function passwordFault(
  password: string,
  email: string,
  common: { has(password: string): boolean },
): string | null {
  const length = [...password].length;
  if (length < passwordCharactersMin) return `must have at least ${passwordCharactersMin} characters`;
  if (length > passwordCharactersMax) return `must have at most ${passwordCharactersMax} characters`;
  const folded = password.toLowerCase();
  if (common.has(folded) || common.has(folded.replace(additions, ''))) {
    return 'is one of those that are guessed first';
  }
  if (new Set(folded).size < differentCharactersMin) return 'repeats the same few characters';
  if (isMadeOf(folded, email.toLowerCase())) return 'must not be made of the email address';
  return null;
}

function isMadeOf(password: string, email: string): boolean {
  const name = email.split('@')[0] ?? '';
  return password.includes(email) || password.replace(additions, '') === name;
}
