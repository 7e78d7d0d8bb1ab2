/**
 * SHA-256 of short texts. Node's own is faster for long ones, but for the 47 characters of a token, calling into the
 * library costs several times the hash itself, and every request needs it. Texts are read as latin1, one byte per
 * character. Tests compare the result with Node's.
 */
const rounds = 64;
const blockBytes = 64;
// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
const roundConstants = Int32Array.from(firstPrimes(rounds), (prime) => fractionBits(Math.cbrt(prime)));
const initialState = Int32Array.from(firstPrimes(8), (prime) => fractionBits(Math.sqrt(prime)));

const schedule = new Int32Array(rounds);
const state = new Int32Array(8);

/** All 256 bits as 16 characters of 16 bits: the cheapest Map key. `digestKey` makes the same from bytes. */
export function sha256Key(text: string): string {
  digest(text);
  let key = '';
  for (let i = 0; i < 8; i++) {
    const word = state[i] as number;
    key += String.fromCharCode(word >>> 16, word & 0xffff);
  }
  return key;
}

export function digestKey(digestBytes: Buffer): string {
  let key = '';
  for (let at = 0; at < digestBytes.length; at += 2) key += String.fromCharCode(digestBytes.readUInt16BE(at));
  return key;
}

export function sha256Bytes(text: string): Buffer {
  digest(text);
  const bytes = Buffer.allocUnsafe(32);
  for (let i = 0; i < 8; i++) bytes.writeInt32BE(state[i] as number, i * 4);
  return bytes;
}

/** HMAC-SHA-256 of up to 13 words of 32 bits with a fixed key, whose two blocks are hashed once. */
export class ShortHmac {
  readonly #inner: Int32Array;
  readonly #outer: Int32Array;

  /** A key of up to 64 bytes. */
  constructor(key: Buffer) {
    this.#inner = stateAfterKey(key, 0x36);
    this.#outer = stateAfterKey(key, 0x5c);
  }

  /** The result is valid until the next digest. */
  digest(words: Int32Array): Int32Array {
    state.set(this.#inner);
    compressLast(words);
    const inner = state.slice();
    state.set(this.#outer);
    compressLast(inner);
    return state;
  }
}

function stateAfterKey(key: Buffer, pad: number): Int32Array {
  const block = Buffer.alloc(blockBytes, pad);
  for (const [i, byte] of key.entries()) block[i] = byte ^ pad;
  state.set(initialState);
  for (let i = 0; i < 16; i++) schedule[i] = block.readInt32BE(i * 4);
  compress();
  return state.slice();
}

/** The words after the key block, and the padding. */
function compressLast(words: Int32Array): void {
  schedule.fill(0, 0, 16);
  schedule.set(words);
  schedule[words.length] = 0x80000000 | 0;
  schedule[15] = (blockBytes + words.length * 4) * 8;
  compress();
}

/** Stores the result in `state`. */
function digest(text: string): void {
  state.set(initialState);
  const length = text.length;
  // The text, a one bit, zeros, and the length in bits as 8 bytes.
  const blocks = Math.ceil((length + 9) / blockBytes);
  for (let block = 0; block < blocks; block++) {
    for (let i = 0; i < 16; i++) schedule[i] = wordAt(text, length, block * blockBytes + i * 4);
    if (block === blocks - 1) schedule[15] = length * 8;
    compress();
  }
}

function wordAt(text: string, length: number, at: number): number {
  if (at + 4 <= length) {
    return (
      (text.charCodeAt(at) << 24) |
      (text.charCodeAt(at + 1) << 16) |
      (text.charCodeAt(at + 2) << 8) |
      text.charCodeAt(at + 3)
    );
  }
  let word = 0;
  for (let i = at; i < at + 4; i++) {
    word = (word << 8) | (i < length ? text.charCodeAt(i) : i === length ? 0x80 : 0);
  }
  return word;
}

function compress(): void {
  const w = schedule;
  for (let i = 16; i < rounds; i++) {
    const x = w[i - 15] as number;
    const y = w[i - 2] as number;
    const s0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3);
    const s1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10);
    w[i] = ((w[i - 16] as number) + s0 + (w[i - 7] as number) + s1) | 0;
  }
  let a = state[0] as number;
  let b = state[1] as number;
  let c = state[2] as number;
  let d = state[3] as number;
  let e = state[4] as number;
  let f = state[5] as number;
  let g = state[6] as number;
  let h = state[7] as number;
  for (let i = 0; i < rounds; i++) {
    const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
    const choice = (e & f) ^ (~e & g);
    const first = (h + s1 + choice + (roundConstants[i] as number) + (w[i] as number)) | 0;
    const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
    const second = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + first) | 0;
    d = c;
    c = b;
    b = a;
    a = (first + second) | 0;
  }
  add(0, a);
  add(1, b);
  add(2, c);
  add(3, d);
  add(4, e);
  add(5, f);
  add(6, g);
  add(7, h);
}

function add(place: number, value: number): void {
  state[place] = ((state[place] as number) + value) | 0;
}

function fractionBits(root: number): number {
  return Math.floor((root - Math.floor(root)) * 2 ** 32) | 0;
}

function firstPrimes(count: number): number[] {
  const primes: number[] = [];
  for (let n = 2; primes.length < count; n++) if (primes.every((prime) => n % prime !== 0)) primes.push(n);
  return primes;
}
