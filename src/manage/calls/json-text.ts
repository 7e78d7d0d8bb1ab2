import { systemClock } from '../../time/real-clock.ts';

/**
 * JSON text in pieces that are never joined: JSON from the database goes into the response without being parsed. `Value`
 * is the type that a reader gets; only the compiler knows it.
 */
export class JsonText<Value> {
  declare readonly value: Value;
  readonly pieces: readonly string[];

  constructor(pieces: readonly string[]) {
    this.pieces = pieces;
  }

  get bytes(): number {
    return this.pieces.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0);
  }
}

export function jsonOf<Value>(value: Value): JsonText<Value> {
  return new JsonText([JSON.stringify(value)]);
}

/** Adds a member whose value is JSON text to an object that is not empty. */
export function withMember<Value extends object, Name extends keyof Value & string>(
  object: Omit<Value, Name>,
  name: Name,
  text: string,
): JsonText<Value> {
  return new JsonText([`${JSON.stringify(object).slice(0, -1)},${JSON.stringify(name)}:`, text, '}']);
}

export function pageText<Item, Rest extends object>(
  items: readonly JsonText<Item>[],
  rest: Rest,
): JsonText<{ items: Item[] } & Rest> {
  const pieces = items.flatMap((item, place) => (place === 0 ? item.pieces : [',', ...item.pieces]));
  return new JsonText(['{"items":[', ...pieces, `],${JSON.stringify(rest).slice(1)}`]);
}

const chunkCharactersMax = 65_536;

/** As bytes, one chunk per pull, yielding to other work in between. */
export function streamOfText(pieces: Iterable<string>): ReadableStream<Uint8Array> {
  const chunks = chunksOf(pieces);
  const encoder = new TextEncoder();
  return new ReadableStream(
    {
      async pull(controller) {
        await systemClock.turn();
        const { done, value } = chunks.next();
        if (done) controller.close();
        else controller.enqueue(encoder.encode(value));
      },
    },
    { highWaterMark: 0 },
  );
}

/** The same text in chunks of about equal length. */
export function* chunksOf(pieces: Iterable<string>): Generator<string, undefined> {
  let chunk = '';
  for (const piece of pieces) {
    if (chunk !== '' && chunk.length + piece.length > chunkCharactersMax) {
      yield chunk;
      chunk = '';
    }
    let start = 0;
    while (piece.length - start > chunkCharactersMax) {
      const end = characterEnd(piece, start + chunkCharactersMax);
      yield piece.slice(start, end);
      start = end;
    }
    chunk += piece.slice(start);
  }
  if (chunk !== '') yield chunk;
}

/** The halves of a surrogate pair must stay together. */
function characterEnd(text: string, end: number): number {
  const unit = text.charCodeAt(end - 1);
  return unit >= 0xd800 && unit < 0xdc00 ? end - 1 : end;
}
