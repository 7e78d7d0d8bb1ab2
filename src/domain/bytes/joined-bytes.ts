/** The size of the smallest piece that is kept instead of copied. */
const largeBytesMin = 1024;
const empty = Buffer.alloc(0);

/**
 * Bytes that arrive in pieces. Small pieces are joined as they arrive: kept one by one, pieces of one byte would take a
 * hundred times as much memory.
 */
export class JoinedBytes {
  #pieces: Buffer[] = [];
  /** Small pieces since the last large one. */
  #small: Buffer = empty;
  #smallLength = 0;
  #length = 0;

  get length(): number {
    return this.#length;
  }

  add(piece: Buffer): void {
    this.#length += piece.length;
    if (piece.length < largeBytesMin) {
      this.#addSmall(piece);
    } else {
      this.#endSmall();
      this.#pieces.push(piece);
    }
  }

  clear(): void {
    this.#endSmall();
    this.#pieces = [];
    this.#length = 0;
  }

  /** All of them in one piece; the only one is not copied. */
  join(): Buffer {
    this.#endSmall();
    return this.#pieces.length === 1 ? (this.#pieces[0] as Buffer) : Buffer.concat(this.#pieces);
  }

  #addSmall(piece: Buffer): void {
    const length = this.#smallLength + piece.length;
    if (length > this.#small.length) {
      const grown = Buffer.allocUnsafe(2 * length);
      this.#small.copy(grown, 0, 0, this.#smallLength);
      this.#small = grown;
    }
    piece.copy(this.#small, this.#smallLength);
    this.#smallLength = length;
  }

  #endSmall(): void {
    if (this.#smallLength > 0) this.#pieces.push(this.#small.subarray(0, this.#smallLength));
    this.#small = empty;
    this.#smallLength = 0;
  }
}
