/** What generated webhook secrets begin with. */
export const secretKind = 'whsec_';

const shownCharacters = 4;
// What remains unknown must be too long to guess, also of a secret that someone chose.
const hiddenCharactersMin = 20;

/** The first characters of a webhook secret, to recognise it by; null if it is too short to show any. */
export function secretPrefix(secret: string): string | null {
  const kind = secret.startsWith(secretKind) ? secretKind : '';
  const characters = [...secret.slice(kind.length)];
  if (characters.length < shownCharacters + hiddenCharactersMin) return null;
  const shown = characters.slice(0, shownCharacters).join('');
  return /^[!-~]+$/.test(shown) ? kind + shown : null;
}
