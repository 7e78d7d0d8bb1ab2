/** Writing systems as bits. */
export const scripts = {
  /** Part of a word, but not a letter. */
  none: 0x4000,
  latin: 1,
  cyrillic: 2,
  greek: 4,
  hebrew: 8,
  arabic: 16,
  indic: 32,
  thai: 64,
  kana: 128,
  han: 256,
  hangul: 512,
  otherLetters: 1024,
} as const;

const ranges: readonly (readonly [from: number, to: number, bit: number])[] = [
  [0x0180, 0x02af, scripts.latin],
  [0x0370, 0x03ff, scripts.greek],
  [0x0400, 0x052f, scripts.cyrillic],
  [0x0530, 0x058f, scripts.otherLetters],
  [0x0590, 0x05ff, scripts.hebrew],
  [0x0600, 0x08ff, scripts.arabic],
  [0x0900, 0x0dff, scripts.indic],
  [0x0e00, 0x0eff, scripts.thai],
  [0x0f00, 0x1dff, scripts.otherLetters],
  [0x1e00, 0x1eff, scripts.latin],
  [0x1f00, 0x1fff, scripts.greek],
  [0x3040, 0x30ff, scripts.kana],
  [0x3400, 0x9fff, scripts.han],
  [0xac00, 0xd7af, scripts.hangul],
  [0xf900, 0xfaff, scripts.han],
  [0xfb50, 0xfdff, scripts.arabic],
  [0xfe70, 0xfeff, scripts.arabic],
];

// Zero-width space, word joiners and the two direction overrides. Marks that Persian, Indic scripts, emoji and phones
// insert by themselves do not count, nor does the byte order mark at the end of old exports.
const hiddenCodes = new Set([0x200b, 0x2060, 0x2061, 0x2062, 0x2063, 0x2064, 0x202d, 0x202e]);

// All ranges start and end at multiples of 16.
const scriptByPage = new Uint16Array(0x10000 >> 4);
for (const [from, to, bit] of ranges) scriptByPage.fill(bit, from >> 4, (to >> 4) + 1);
const byteOrderMark = 0xfeff;

/** The bit of a letter's script, 0 if it is not a letter, -1 for an invisible character. */
export function scriptOf(code: number): number {
  if (code >= 0x2000 && code <= 0x206f) return hiddenCodes.has(code) ? -1 : 0;
  return code === byteOrderMark ? 0 : (scriptByPage[code >> 4] as number);
}

// Letters that NFKD does not decompose.
const special: Readonly<Record<string, string>> = {
  ı: 'i',
  ø: 'o',
  Ø: 'O',
  ß: 's',
  ł: 'l',
  Ł: 'L',
  đ: 'd',
  Đ: 'D',
  æ: 'a',
  Æ: 'A',
  œ: 'o',
  Œ: 'O',
  ð: 'd',
  Ð: 'D',
  þ: 't',
  Þ: 'T',
  ħ: 'h',
  Ħ: 'H',
  ŋ: 'n',
  Ŋ: 'N',
  ŧ: 't',
  Ŧ: 'T',
  ə: 'a',
  Ə: 'A',
  ɓ: 'b',
  Ɓ: 'B',
  ɗ: 'd',
  Ɗ: 'D',
  ɛ: 'e',
  Ɛ: 'E',
  ɣ: 'g',
  Ɣ: 'G',
  ƙ: 'k',
  Ƙ: 'K',
  ɔ: 'o',
  Ɔ: 'O',
  ƴ: 'y',
  Ƴ: 'Y',
  ǝ: 'e',
  Ǝ: 'E',
};

/** The plain letter under an accent, for U+0080 to U+017F; 0 if it is not a Latin letter. */
export const baseLetters: Readonly<Uint8Array> = basesFrom(0x80, 0x180);
/** The same for U+0180 to U+024F and U+0250 to U+02AF, as in Azeri, Romanian and African languages. */
const extendedLetters = basesFrom(0x180, 0x2b0);
/** The same for U+1E00 to U+1EFF, as in Vietnamese and Welsh. */
const additionalLetters = basesFrom(0x1e00, 0x1f00);

function basesFrom(from: number, to: number): Uint8Array {
  return Uint8Array.from({ length: to - from }, (_, index) => {
    const letter = String.fromCharCode(index + from);
    if (!/\p{L}/u.test(letter) || letter === 'ª' || letter === 'º' || letter === 'µ') return 0;
    const base = special[letter] ?? letter.normalize('NFKD').charAt(0);
    return /[a-z]/i.test(base) ? base.charCodeAt(0) : 0;
  });
}

/** The plain letter of any Latin letter; 0 for anything else. */
export function plainLetter(code: number): number {
  if (code < 0x80) return isAsciiLetter(code) ? code : 0;
  if (code < 0x180) return baseLetters[code - 0x80] as number;
  if (code < 0x2b0) return extendedLetters[code - 0x180] as number;
  return code >= 0x1e00 && code < 0x1f00 ? (additionalLetters[code - 0x1e00] as number) : 0;
}

/** By code: the letter, small and without accent, plus 128 for a capital; 0 for anything but a Latin letter. */
export const latinLetters: Uint8Array = Uint8Array.from({ length: 0x180 }, (_, code) => {
  const letter = plainLetter(code);
  return letter === 0 ? 0 : (letter | 32) + (letter < 97 ? 128 : 0);
});

export function isAsciiLetter(code: number): boolean {
  return ((code | 32) - 97) >>> 0 < 26;
}

/** The kinds of ASCII characters. */
export const kinds = { other: 0, lower: 1, upper: 2, digit: 3, space: 4 } as const;
export const kindOfAscii: Uint8Array = new Uint8Array(128);
for (let code = 97; code <= 122; code++) kindOfAscii[code] = kinds.lower;
for (let code = 65; code <= 90; code++) kindOfAscii[code] = kinds.upper;
for (let code = 48; code <= 57; code++) kindOfAscii[code] = kinds.digit;
for (const code of [9, 10, 11, 12, 13, 32]) kindOfAscii[code] = kinds.space;

export function isHostCharacter(code: number): boolean {
  return code === 45 || code === 46 || (code < 128 ? (kindOfAscii[code] as number) % 4 > 0 : false);
}

/** Latin mixed with lookalike letters; other mixtures are ordinary in some languages. */
export function isDeceptive(found: number): boolean {
  return (found & scripts.latin) !== 0 && (found & (scripts.cyrillic | scripts.greek)) !== 0;
}

/** Of a letter of another alphabet, without its accent. */
export function lowerWide(code: number): number {
  if (code >= 0x410 && code <= 0x42f) return code + 0x20;
  if (code >= 0x400 && code <= 0x40f) return code + 0x50;
  return code === 0x451 ? 0x435 : code;
}
