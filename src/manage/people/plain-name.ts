const charactersMax = 80;

/**
 * A name that somebody chose, for an email to somebody else. Whoever may invite chooses these words, and they reach
 * strangers under our address: nothing in them may become a link, an address, a number to call or a line of its own.
 * So only letters, digits and a little punctuation stay, and no full stop stands inside a word.
 */
export function plainName(name: string): string {
  const plain = name
    // Full-width and other compatibility forms count as what they look like.
    .normalize('NFKC')
    .replaceAll('\u3002', '.')
    .replaceAll(/[^\p{L}\p{M}\p{N} .,'’&()+!–-]/gu, ' ')
    .replaceAll(/\.(?=\S)/g, '. ')
    // As many digits as a telephone number has.
    .replaceAll(/\p{N}(?:[\p{Z}.,()+–-]*\p{N}){6,}/gu, '…')
    .replaceAll(/ +/g, ' ')
    .trim();
  const characters = [...plain];
  return characters.length <= charactersMax
    ? plain
    : `${characters.slice(0, charactersMax).join('').trim()} …`;
}
