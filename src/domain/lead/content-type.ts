const jsonShape = /^application\/json[ \t]*(?:;|$)/i;
const charsetShape = /;[ \t]*charset[ \t]*=[ \t]*(?:"([^"]*)"|([^\s;]*))/gi;

/** JSON in UTF-8. Not a header that is missing or was sent more than once. */
export function isJsonContentType(value: unknown): boolean {
  if (value === 'application/json') return true;
  if (typeof value !== 'string' || !jsonShape.test(value)) return false;
  return value.matchAll(charsetShape).every((match) => /^utf-?8$/i.test(match[1] ?? match[2] ?? ''));
}
