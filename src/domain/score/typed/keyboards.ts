import { transliterate } from '../../transliterate.ts';
import { letterOf, type TrigramModel, trigramSymbols } from '../models/trigrams.ts';

/** Rows of keys, from the left; each row is shifted by about half a key. */
const layouts: readonly (readonly string[])[] = [
  ['qwertyuiop', 'asdfghjkl', 'zxcvbnm'],
  ['qwertzuiop', 'asdfghjkl', 'yxcvbnm'],
  ['azertyuiop', 'qsdfghjklm', 'wxcvbn'],
];
/** Russian, then what Ukrainian has instead. */
const cyrillicRows = ['йцукенгшщзхъ', 'фывапролджэ', 'ячсмитьбю', '           ї', ' і        є', ''];
const sixteenths = 16;
const anyKey = 1 / 26;
const lettersMin = 4;

/** How likely a finger that mashes keys goes from one key to another: next to it, near it in its row, or anywhere. */
const tables = layouts.map((rows) => {
  const table = new Int16Array(trigramSymbols ** 2);
  const keys = rows.flatMap((row, y) => [...row].map((key, x) => ({ key, x, y })));
  for (const from of keys) {
    const beside = keys.filter((to) => isBeside(from, to)).length;
    const near = keys.filter((to) => isNear(from, to)).length;
    for (const to of keys) {
      const chance =
        0.1 * anyKey +
        (isBeside(from, to) ? 0.5 / beside : 0) +
        (isNear(from, to) ? 0.35 / near : 0) +
        (from === to ? 0.05 : 0);
      table[placeOf(from.key) * trigramSymbols + placeOf(to.key)] = Math.round(
        Math.log2(chance) * sixteenths,
      );
    }
  }
  return table;
});

interface Key {
  readonly x: number;
  readonly y: number;
}

function isBeside(from: Key, to: Key): boolean {
  const [down, right] = [to.y - from.y, to.x - from.x];
  if (down === 0) return Math.abs(right) === 1;
  return Math.abs(down) === 1 && (right === 0 || right === -down);
}

function isNear(from: Key, to: Key): boolean {
  return from.y === to.y && from.x !== to.x && Math.abs(from.x - to.x) <= 4;
}

function placeOf(key: string): number {
  return key.charCodeAt(0) - 96;
}

const start = Math.round(Math.log2(anyKey) * sixteenths);
const [qwerty, qwertz, azerty] = tables as [Int16Array, Int16Array, Int16Array];

/**
 * How much better a word is explained by mashing the keys of some keyboard than by spelling, in sixteenths of a bit.
 * 0 for a word that is too short to tell.
 */
export function mashOdds(
  { table }: Pick<TrigramModel, 'table'>,
  text: string,
  from: number,
  to: number,
): number {
  let context = 0;
  let spelling = 0;
  let letters = 0;
  let last = 0;
  // Not in a loop over the layouts, because this runs for many names.
  let byQwerty = start;
  let byQwertz = start;
  let byAzerty = start;
  for (let at = from; at < to; at++) {
    const letter = letterOf(text.charCodeAt(at));
    // "Looove" counts as "love".
    if (letter === 0 || context === letter * (trigramSymbols + 1)) continue;
    spelling += table[context * trigramSymbols + letter] as number;
    if (letters > 0) {
      const step = last * trigramSymbols + letter;
      byQwerty += qwerty[step] as number;
      byQwertz += qwertz[step] as number;
      byAzerty += azerty[step] as number;
    }
    context = last * trigramSymbols + letter;
    last = letter;
    letters++;
  }
  return letters < lettersMin ? 0 : Math.max(byQwerty, byQwertz, byAzerty) - spelling;
}

/** Keys by their codes, with the place of each. */
const cyrillicKeys = new Map<number, Key>();
for (const [y, row] of cyrillicRows.entries()) {
  for (const [x, key] of [...row].entries()) cyrillicKeys.set(key.charCodeAt(0), { x, y: y % 3 });
}
const besideShareMin = 0.6;
const nearShareMin = 0.85;

type Steps = 'all beside' | 'beside' | 'near' | 'far';

/** "фыва", "йцукен", "олдж": whether the steps go to the next key, or at least to one nearby. */
export function cyrillicSteps(text: string, from: number, to: number): Steps {
  let beside = 0;
  let near = 0;
  for (let at = from + 1; at < to; at++) {
    const last = cyrillicKeys.get(lowerCyrillic(text.charCodeAt(at - 1)));
    const key = cyrillicKeys.get(lowerCyrillic(text.charCodeAt(at)));
    if (last === undefined || key === undefined) continue;
    if (last.y === key.y && Math.abs(last.x - key.x) === 1) beside++;
    if (last === key || isBeside(last, key) || isNear(last, key)) near++;
  }
  const steps = to - from - 1;
  if (beside === steps) return 'all beside';
  if (beside >= besideShareMin * steps) return 'beside';
  return near >= nearShareMin * steps ? 'near' : 'far';
}

const firstCyrillic = 0x400;
const latinOfCyrillic = Array.from({ length: 0x60 }, (_, index) =>
  transliterate(
    String.fromCharCode(lowerCyrillic(firstCyrillic + index))
      .normalize('NFKD')
      .charAt(0),
  ),
);

/** In Latin letters, so that its spelling can be judged. */
export function romanised(text: string, from: number, to: number): string {
  let latin = '';
  for (let at = from; at < to; at++) latin += latinOfCyrillic[text.charCodeAt(at) - firstCyrillic] ?? '';
  return latin;
}

function lowerCyrillic(code: number): number {
  if (code >= 0x410 && code <= 0x42f) return code + 0x20;
  return code >= 0x400 && code <= 0x40f ? code + 0x50 : code;
}
