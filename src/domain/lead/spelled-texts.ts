import { isObject, type LeadFields } from './lead.ts';

const membersReadMax = 200;
const keyCharactersMax = 40;
const charactersMax = 4_000;
const rememberedMax = 10_000;

/** Adds to `found` the first filled text of each kind that it does not contain yet. */
export type TextFinder<Kind> = <Value>(
  found: Map<Kind, string>,
  members: Iterable<readonly [key: string, Value]>,
  textOf: (value: Value) => string | null,
) => void;

/** Recognises keys by their letters, in any case and with any separators. `spellings` are separated by blanks. */
export function textFinder<Kind extends string>(spellings: Readonly<Record<Kind, string>>): TextFinder<Kind> {
  const kindBySpelling = new Map(
    (Object.keys(spellings) as Kind[]).flatMap((kind) =>
      spellings[kind].split(' ').map((spelling): [string, Kind] => [lettersOf(spelling), kind]),
    ),
  );
  // Forms send the same keys over and over; null is an unknown key.
  const remembered = new Map<string, Kind | null>();
  const kindOf = (key: string) => {
    if (key.length > keyCharactersMax) return null;
    const known = remembered.get(key);
    if (known !== undefined) return known;
    const kind = kindBySpelling.get(lettersOf(key)) ?? null;
    if (remembered.size >= rememberedMax) remembered.clear();
    remembered.set(key, kind);
    return kind;
  };
  return (found, members, textOf) => {
    let left = membersReadMax;
    for (const [key, value] of members) {
      if (left-- === 0) return;
      const kind = kindOf(key);
      if (kind !== null && !found.has(kind)) keepFirst(found, kind, textOf(value));
    }
  };
}

/** Empty or very long is the same as missing. */
export function keepFirst<Kind>(
  found: Map<Kind, string>,
  kind: Kind,
  value: string | null | undefined,
): void {
  const text = value?.trim() ?? '';
  if (text !== '' && text.length <= charactersMax && !found.has(kind)) found.set(kind, text);
}

/** Of parsed JSON; none of what is no object. */
export class ParsedMembers {
  readonly #object: LeadFields;

  constructor(value: unknown) {
    this.#object = isObject(value) ? value : {};
  }

  get(key: string): unknown {
    return Object.hasOwn(this.#object, key) ? this.#object[key] : undefined;
  }

  /** One after the other, because there may be thousands. */
  *[Symbol.iterator](): Generator<[string, unknown]> {
    for (const key in this.#object) yield [key, this.#object[key]];
  }
}

export const parsedText = (value: unknown) => (typeof value === 'string' ? value : null);

function lettersOf(key: string): string {
  return key
    .toLowerCase()
    .normalize('NFD')
    .replace(/[^a-z]/g, '');
}
