export const passwordCharactersMin = 10;
export const passwordCharactersMax = 128;

export interface PasswordOwner {
  readonly email: string;
  readonly name: string;
}

const differentCharactersMin = 5;
const repeatedMin = 8;
// "welcome2026!" is "welcome" plus what everybody adds.
const additionsMax = 6;
const addition = /[\d\W_]$/;
const additions = /[\d\W_]{1,6}$/;
const lettersBehindDigits = /(?<=\d)[a-z]{1,2}$/;
const additionsBefore = /^[\d\W_]{1,6}/;
const nameCharactersMin = 3;
const tooCommon = 'is too common';

/**
 * What is wrong with a password, or null. There are no rules about character classes, because they make passwords
 * worse. `common` contains common passwords, and the words others are made of, in lower case.
 */
export function passwordProblem(
  password: string,
  owner: PasswordOwner,
  common: { has(password: string): boolean },
): string | null {
  const length = [...password].length;
  if (length < passwordCharactersMin) return `must have at least ${passwordCharactersMin} characters`;
  if (length > passwordCharactersMax) return `must have at most ${passwordCharactersMax} characters`;
  const folded = password.normalize('NFKC').toLowerCase();
  if (guessesOf(folded).some((guess) => common.has(guess))) return tooCommon;
  if (new Set(folded).size < differentCharactersMin || unrepeated(folded).length < repeatedMin)
    return 'repeats the same few characters';
  if (isWalk(folded)) return tooCommon;
  if (isMadeOfEmail(folded, owner.email.toLowerCase())) return 'must not be based on your email address';
  if (isMadeOfName(folded, owner.name)) return 'must not be based on your name';
  return null;
}

/** The words that a password is based on, without added digits and signs, doubling, or signs instead of letters. */
function guessesOf(folded: string): string[] {
  const forms = [folded, folded.replaceAll(' ', '')].flatMap((text) => [
    ...bareForms(text),
    text.replace(lettersBehindDigits, ''),
  ]);
  return [...new Set(forms.flatMap((form) => [form, withLetters(form), unrepeated(form)]))];
}

/** Without what was added, as far as the length allows: a word may itself end in digits. */
function bareForms(text: string): string[] {
  const forms = [text];
  for (let bare = text; forms.length <= additionsMax && addition.test(bare); ) {
    bare = bare.slice(0, -1);
    forms.push(bare);
  }
  const bare = forms.at(-1) ?? text;
  return [...forms, bare.replace(additionsBefore, '')];
}

const letters: Readonly<Record<string, string>> = {
  0: 'o',
  1: 'i',
  3: 'e',
  4: 'a',
  5: 's',
  7: 't',
  '@': 'a',
  $: 's',
  '!': 'i',
};

function withLetters(text: string): string {
  return text.replace(/[013457@$!]/g, (sign) => letters[sign] ?? sign);
}

/** "monkeymonkey" → "monkey" */
function unrepeated(text: string): string {
  return /^(.{3,}?)\1+$/su.exec(text)?.[1] ?? text;
}

const rows = [
  '1234567890-=',
  'qwertyuiop[]',
  'asdfghjkl;',
  'zxcvbnm,./',
  'qwertzuiop',
  'azertyuiop',
  'abcdefghijklmnopqrstuvwxyz',
];
// Down and up the columns of a keyboard, as in 1qaz2wsx.
const columns = ['1qaz', '2wsx', '3edc', '4rfv', '5tgb', '6yhn', '7ujm', '8ik,', '9ol.', '0p;/'];
const walks = [...rows, ...columns].flatMap((row) => [row, [...row].reverse().join('')]);
const piecesMax = 4;
const addedMax = 2;

/**
 * A few keyboard patterns, sequences or repeats in a row, plus what everybody adds: "qwertyuiop12345", "1qaz2wsx3edc",
 * "a123456789"; or two of them interleaved: "1q2w3e4r5t", "0102030405". Pieces shorter than three characters do not
 * count.
 */
function isWalk(text: string): boolean {
  const turns = [0, 1].map((turn) => [...text].filter((_, index) => index % 2 === turn).join(''));
  return (
    [0, 1, addedMax].some((added) => isInPieces(text.slice(added), piecesMax)) ||
    turns.every((turn) => isInPieces(turn, 1))
  );
}

function isInPieces(text: string, max: number): boolean {
  let rest = text;
  for (let pieces = 0; pieces < max && rest.length > addedMax; pieces++) {
    const length = pieceLength(rest);
    if (length < 3) return false;
    rest = rest.slice(length);
  }
  return rest.length <= (max === 1 ? 0 : addedMax);
}

function pieceLength(text: string): number {
  const same = /^(.)\1*/su.exec(text)?.[0].length ?? 0;
  let longest = same;
  for (const walk of walks) {
    const from = walk.indexOf(text.charAt(0));
    if (from < 0) continue;
    let length = 1;
    while (from + length < walk.length && walk[from + length] === text[length]) length++;
    longest = Math.max(longest, length);
  }
  return longest;
}

function isMadeOfEmail(password: string, email: string): boolean {
  const name = email.split('@')[0] ?? '';
  return password.includes(email) || password.replace(additions, '') === name;
}

/** Nothing but parts of the name, apart from digits and signs. */
function isMadeOfName(password: string, name: string): boolean {
  const parts = lettersOf(name.normalize('NFKC').toLowerCase(), ' ').split(' ');
  let rest = lettersOf(password, '');
  if ([...rest].length < nameCharactersMin) return false;
  for (;;) {
    const part = parts
      .filter((candidate) => candidate !== '' && rest.startsWith(candidate))
      .toSorted(byLength)[0];
    if (part === undefined) return rest === '';
    rest = rest.slice(part.length);
  }
}

function byLength(a: string, b: string): number {
  return b.length - a.length;
}

function lettersOf(text: string, between: string): string {
  return text.replace(/[^\p{L}\p{M}]+/gu, between).trim();
}
