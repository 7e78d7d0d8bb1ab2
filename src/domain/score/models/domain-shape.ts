/**
 * A linear model over the name of a domain. Lists of disposable domains miss those registered yesterday, but their
 * names and endings resemble each other.
 */
export interface DomainShapeModel {
  readonly weights: Int8Array;
  readonly bias: number;
  /** From here on a domain resembles disposable ones; for the last level, hardly any company domain does. */
  readonly likely: number;
  readonly probable: number;
  readonly certain: number;
}

const hashSeed = 0x811c9dc5;
const hashPrime = 0x01000193;
const labelCharactersMax = 63;
const slotsMax = 160;
const slots = new Uint32Array(slotsMax);

/**
 * `label` is the registered name, `suffix` the public suffix under it: `acme` and `co.uk`. Names in other alphabets
 * score 0: the model knows too few of them.
 */
export function domainShape(model: DomainShapeModel, label: string, suffix: string): number {
  const count = shapeSlots(label, suffix, model.weights.length - 1, slots);
  if (count === 0) return 0;
  let sum = model.bias;
  for (let at = 0; at < count; at++) sum += model.weights[slots[at] as number] as number;
  return sum;
}

/**
 * Writes the slots of a name to `out` and returns their number: runs of two and three characters with the ends marked,
 * the ending, and what the name is made of, alone and together with the ending. 0 for a name that is not plain ASCII.
 */
export function shapeSlots(label: string, suffix: string, mask: number, out: Uint32Array): number {
  if (label.length > labelCharactersMax || label.startsWith('xn--')) return 0;
  const made = madeOf(label);
  if (made === null) return 0;
  let count = 0;
  let before = caret;
  let last = 0;
  for (let at = 0; at <= label.length; at++) {
    const code = at < label.length ? withoutDigit(label.charCodeAt(at)) : dollar;
    const pair = step(step(hashSeed, before), code);
    out[count++] = mixed(pair) & mask;
    if (last !== 0) out[count++] = mixed(step(step(step(hashSeed, last), before), code)) & mask;
    last = before;
    before = code;
  }
  const ending = textHash(suffix);
  const top = textHash(suffix.slice(suffix.lastIndexOf('.') + 1));
  out[count++] = mixed(ending) & mask;
  out[count++] = mixed(step(top, marks.top)) & mask;
  out[count++] = mixed(step(made.length, marks.length)) & mask;
  out[count++] = mixed(step(step(made.digits, made.hyphens), marks.signs)) & mask;
  out[count++] = mixed(step(made.pattern, marks.pattern)) & mask;
  out[count++] = mixed(step(step(made.vowels, made.letters), marks.vowels)) & mask;
  out[count++] = mixed(step(step(made.run, made.length), marks.run)) & mask;
  out[count++] = mixed(step(step(ending, made.length), marks.length)) & mask;
  out[count++] = mixed(step(step(step(ending, made.digits), made.hyphens), marks.signs)) & mask;
  out[count++] = mixed(step(step(step(ending, made.vowels), made.run), marks.vowels)) & mask;
  return count;
}

const caret = 94;
const dollar = 36;
const hyphen = 45;
/** They keep features with the same numbers apart. */
const marks = { top: 1_001, length: 1_002, signs: 1_003, pattern: 1_004, vowels: 1_005, run: 1_006 };
const vowels = new Uint8Array(128);
for (const vowel of 'aeiouy') vowels[vowel.charCodeAt(0)] = 1;

interface MadeOf {
  readonly length: number;
  readonly letters: number;
  readonly digits: number;
  readonly hyphens: number;
  /** In sixths of the letters. */
  readonly vowels: number;
  /** The longest run of consonants. */
  readonly run: number;
  /** A hash of the order of letters, digits and hyphens. */
  readonly pattern: number;
}

/** Counts are capped, so that rare values share a weight. */
function madeOf(label: string): MadeOf | null {
  let digits = 0;
  let hyphens = 0;
  let vowelCount = 0;
  let run = 0;
  let runMax = 0;
  let pattern = hashSeed;
  let kindBefore = 0;
  for (let at = 0; at < label.length; at++) {
    const code = label.charCodeAt(at);
    if (code > 127) return null;
    const kind = code === hyphen ? 1 : code < 58 ? 2 : 3;
    if (kind !== kindBefore) pattern = step(pattern, kind);
    kindBefore = kind;
    if (kind === 1) hyphens++;
    else if (kind === 2) digits++;
    else if (vowels[code] === 1) vowelCount++;
    run = kind === 3 && vowels[code] === 0 ? run + 1 : 0;
    if (run > runMax) runMax = run;
  }
  const letters = label.length - digits - hyphens;
  return {
    length: Math.min(label.length, 16),
    letters: Math.min(letters, 14),
    digits: Math.min(digits, 5),
    hyphens: Math.min(hyphens, 3),
    vowels: letters === 0 ? 9 : Math.round((6 * vowelCount) / letters),
    run: Math.min(runMax, 6),
    pattern,
  };
}

/** All digits count as one: which ones a name has says little. */
function withoutDigit(code: number): number {
  return code >= 48 && code <= 57 ? 48 : code;
}

function textHash(text: string): number {
  let hash = hashSeed;
  for (let at = 0; at < text.length; at++) hash = step(hash, text.charCodeAt(at));
  return hash;
}

function step(hash: number, code: number): number {
  return Math.imul(hash ^ code, hashPrime);
}

/** The lower bits of the hash alone would collide for short runs. */
function mixed(hash: number): number {
  const spread = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (spread ^ (spread >>> 13)) >>> 0;
}
