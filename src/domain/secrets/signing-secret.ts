import { isChecksummed, mintChecksummed } from './checksummed.ts';

/**
 * What is signed as Leadgate says (`{timestamp}.{body}`) has a key that is the text of the secret itself. Those that we
 * generate are checksummed secrets: lgs_[0-9A-Za-z]{38}. `whsec_` names the opposite rule, that of Standard Webhooks: their
 * key is decoded from base64.
 */
const signingSecretPrefix = 'lgs_';
// Owners paste those of senders, too.
const knownPrefix = /^(?:lgs_|whsec_)?/;

const shownCharacters = 4;
// What remains unknown must be too long to guess, also of a secret that someone chose.
const hiddenCharactersMin = 20;

export function mintSigningSecret(): string {
  return mintChecksummed(signingSecretPrefix);
}

export function isWellFormedSigningSecret(text: string): boolean {
  return text.startsWith(signingSecretPrefix) && isChecksummed(text, signingSecretPrefix.length);
}

/** The first characters of a webhook secret, to recognise it by; null if it is too short to show any. */
export function secretPrefix(secret: string): string | null {
  const [kind] = knownPrefix.exec(secret) as RegExpExecArray;
  const characters = [...secret.slice(kind.length)];
  if (characters.length < shownCharacters + hiddenCharactersMin) return null;
  const shown = characters.slice(0, shownCharacters).join('');
  return /^[!-~]+$/.test(shown) ? kind + shown : null;
}
