const charactersMax = 80;

/**
 * A name for an email to someone else. People who invite choose these words, and strangers receive them from our address,
 * so nothing in them may become a link, an address, a phone number or a separate line: only letters, digits and a little
 * punctuation stay, and a full stop never stands inside a word.
 */
export function plainName(name: string): string {
  const plain = name
    // Full-width and other compatibility forms become the characters they look like.
    .normalize('NFKC')
    .replaceAll('\u3002', '.')
    .replaceAll(/[^\p{L}\p{M}\p{N} .,'’&()+!–-]/gu, ' ')
    .replaceAll(/\.(?=\S)/g, '. ')
    // As many digits as a phone number.
    .replaceAll(/\p{N}(?:[\p{Z}.,()+–-]*\p{N}){6,}/gu, '…')
    .replaceAll(/ +/g, ' ')
    .trim();
  const characters = [...plain];
  return characters.length <= charactersMax
    ? plain
    : `${characters.slice(0, charactersMax).join('').trim()} …`;
}
