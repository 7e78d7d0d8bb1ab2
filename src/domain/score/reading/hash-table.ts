/**
 * Numbers by hash in flat arrays: a lookup takes a few nanoseconds, ten times less than in a Map. Filled once, then
 * only read.
 */
export class HashTable {
  /** Each slot is a hash and its value, side by side in memory. A hash of 0 marks an empty slot, as three of four are. */
  #slots: Int32Array;
  /** A bit per place that a hash can have: rules out nearly all unknown hashes, and is a fraction of the slots in size. */
  #filter: Int32Array;
  /** The upper bits of a mixed hash number its slot. */
  #slotShift: number;
  #size = 0;
  candidateCount = 0;

  /** `sizeExpected` spares a large table from growing step by step. */
  constructor(entries: Iterable<readonly [hash: number, value: number]> = [], sizeExpected = 0) {
    let bits = slotBitsFirst;
    while (1 << bits < slotsPerEntry * sizeExpected) bits++;
    this.#slots = new Int32Array(2 << bits);
    this.#filter = new Int32Array((filterBitsPerSlot << bits) / 32);
    this.#slotShift = 32 - bits;
    for (const [hash, value] of entries) this.set(hash, value);
  }

  /** 0 if there is no entry. */
  get(hash: number): number {
    return this.mayHave(hash) === 0 ? 0 : valueIn(this.#slots, this.#slotShift, hash);
  }

  /** 0 if there is no entry for certain, otherwise 1. */
  mayHave(hash: number): 0 | 1 {
    const bit = mixedHash(hash) >>> (this.#slotShift - filterBitsShift);
    return (((this.#filter[bit >>> 5] as number) >>> bit) & 1) as 0 | 1;
  }

  /** Gets the values of the first `count` hashes. */
  getAll(hashes: Int32Array, count: number, values: Int32Array): void {
    this.candidates(hashes, count);
    values.fill(0, 0, count);
    findAll(hashes, this.candidateCount, this.#slots, this.#slotShift, values);
  }

  /**
   * The places of those among the first `count` hashes that may be in the table, which are `candidateCount`. Nothing here
   * depends on a branch, which the processor would often mispredict. They are there until the next call for any table.
   */
  candidates(hashes: Int32Array, count: number): Uint16Array {
    if (count > placesMax) throw new RangeError(`No more than ${placesMax} hashes at once.`);
    this.candidateCount = filtered(hashes, count, this.#filter, this.#slotShift - filterBitsShift);
    return places;
  }

  set(hash: number, value: number): void {
    if (hash === 0) throw new RangeError('A hash of 0 marks an empty slot.');
    if (slotsPerEntry * ++this.#size > this.#slots.length / 2) this.#grow();
    const slots = this.#slots;
    const mixed = mixedHash(hash);
    let slot = (mixed >>> this.#slotShift) << 1;
    while (slots[slot] !== 0 && slots[slot] !== hash) slot = (slot + 2) & (slots.length - 1);
    slots[slot] = hash;
    slots[slot + 1] = value;
    const bit = mixed >>> (this.#slotShift - filterBitsShift);
    this.#filter[bit >>> 5] = (this.#filter[bit >>> 5] as number) | (1 << bit);
  }

  #grow(): void {
    const slots = this.#slots;
    this.#slots = new Int32Array(2 * slots.length);
    this.#filter = new Int32Array(2 * this.#filter.length);
    this.#slotShift--;
    this.#size = 0;
    for (let slot = 0; slot < slots.length; slot += 2)
      if (slots[slot] !== 0) this.set(slots[slot] as number, slots[slot + 1] as number);
  }
}

const slotBitsFirst = 8;
const slotsPerEntry = 4;
const filterBitsShift = 2;
const filterBitsPerSlot = 1 << filterBitsShift;
const placesMax = 2_048;
const places = new Uint16Array(placesMax);

function filtered(hashes: Int32Array, count: number, filter: Int32Array, shift: number): number {
  let passed = 0;
  for (let at = 0; at < count; at++) {
    const bit = mixedHash(hashes[at] as number) >>> shift;
    places[passed] = at;
    passed += ((filter[bit >>> 5] as number) >>> bit) & 1;
  }
  return passed;
}

/** Most are in their first slot; the others are searched for afterwards. */
function findAll(
  hashes: Int32Array,
  count: number,
  slots: Int32Array,
  slotShift: number,
  values: Int32Array,
): void {
  let left = 0;
  for (let place = 0; place < count; place++) {
    const at = places[place] as number;
    const hash = hashes[at] as number;
    const slot = (mixedHash(hash) >>> slotShift) << 1;
    values[at] = slots[slot + 1] as number;
    if (slots[slot] !== hash) places[left++] = at;
  }
  for (let place = 0; place < left; place++) {
    const at = places[place] as number;
    values[at] = valueIn(slots, slotShift, hashes[at] as number);
  }
}

/** The value of an empty slot is 0. */
function valueIn(slots: Int32Array, slotShift: number, hash: number): number {
  const mask = slots.length - 1;
  let slot = (mixedHash(hash) >>> slotShift) << 1;
  while (slots[slot] !== hash && slots[slot] !== 0) slot = (slot + 2) & mask;
  return slots[slot + 1] as number;
}

/** A bijection, so different hashes stay different. */
function mixedHash(hash: number): number {
  return Math.imul(hash, 0x9e3779b1);
}
