/**
 * JSON that keeps what JSON.parse drops: how numbers are written and the order of members. Other languages keep both,
 * so imitating their output needs them.
 */
export type JsonTree =
  | { readonly kind: 'literal'; readonly text: string }
  | { readonly kind: 'number'; readonly text: string }
  | { readonly kind: 'string'; readonly value: string }
  | { readonly kind: 'list'; readonly items: readonly JsonTree[] }
  | { readonly kind: 'object'; readonly members: ReadonlyMap<string, JsonTree> };

const depthMax = 64;
const token = /[ \t\r\n]*(?:([{}[\],:])|("(?:[^"\\]|\\.)*")|(-?\d[\d.eE+-]*)|(true|false|null))/y;

/** Null if it is not JSON, or nested deeper than the service accepts. */
export function readJsonTree(text: string): JsonTree | null {
  try {
    JSON.parse(text);
    return new TreeReader(text).read();
  } catch {
    return null;
  }
}

/** Only for texts that JSON.parse accepts: it does not check for errors itself. */
class TreeReader {
  readonly #text: string;
  #at = 0;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
  }

  read(): JsonTree {
    const [sign, text, number, literal] = this.#next();
    if (text !== undefined) return { kind: 'string', value: JSON.parse(text) };
    if (number !== undefined) return { kind: 'number', text: number };
    if (literal !== undefined) return { kind: 'literal', text: literal };
    if (++this.#depth > depthMax) throw new Error('nested too deeply');
    const tree: JsonTree = sign === '{' ? this.#object() : this.#list();
    this.#depth--;
    return tree;
  }

  #object(): JsonTree {
    const members = new Map<string, JsonTree>();
    if (this.#isEnd('}')) return { kind: 'object', members };
    do {
      const [, key] = this.#next();
      this.#next();
      members.set(JSON.parse(key as string), this.read());
    } while (this.#next()[0] === ',');
    return { kind: 'object', members };
  }

  #list(): JsonTree {
    const items: JsonTree[] = [];
    if (this.#isEnd(']')) return { kind: 'list', items };
    do items.push(this.read());
    while (this.#next()[0] === ',');
    return { kind: 'list', items };
  }

  #isEnd(sign: string): boolean {
    const before = this.#at;
    if (this.#next()[0] === sign) return true;
    this.#at = before;
    return false;
  }

  #next(): (string | undefined)[] {
    token.lastIndex = this.#at;
    const match = token.exec(this.#text);
    if (match === null) throw new Error('not JSON');
    this.#at = token.lastIndex;
    return match.slice(1);
  }
}
