const depthMax = 20;
/** Texts, and the characters that open, close and separate. Only for valid JSON: otherwise it may take long. */
const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|[[\]{}:]/g;

/**
 * JSON of which every reader gets the same: no key occurs twice in an object, none is `__proto__`, and it is not deep. Throws an
 * error for people to read.
 */
export function parseStrictly(text: string): unknown {
  const value = parsed(text);
  /** The keys so far of each object that is open; null for a list. */
  const open: (Set<string> | null)[] = [];
  let last = '';
  for (const [token] of text.matchAll(tokens)) {
    if (token === '{' || token === '[') open.push(token === '{' ? new Set() : null);
    else if (token === '}' || token === ']') open.pop();
    else if (token === ':') addKey(open.at(-1) ?? new Set(), JSON.parse(last));
    if (open.length > depthMax) throw new Error(`It is nested more than ${depthMax} levels deep.`);
    last = token;
  }
  return value;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error('This is not valid JSON.');
  }
}

function addKey(keys: Set<string>, key: string): void {
  if (key === '__proto__') throw new Error('The key "__proto__" is not allowed.');
  if (keys.has(key)) throw new Error(`The key "${key}" occurs twice in the same object.`);
  keys.add(key);
}
