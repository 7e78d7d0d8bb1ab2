const jsonShape = /^application\/json[ \t]*(?:;|$)/i;
const charsetShape = /;[ \t]*charset[ \t]*=[ \t]*(?:"([^"]*)"|([^\s;]*))/gi;

/** JSON in UTF-8. Not a header that is missing or was sent more than once. */
export function isJsonContentType(value: unknown): boolean {
  if (value === 'application/json') return true;
  if (typeof value !== 'string' || !jsonShape.test(value)) return false;
  return value.matchAll(charsetShape).every((match) => /^utf-?8$/i.test(match[1] ?? match[2] ?? ''));
}

const typeShape = /^[\w!#$&^.+-]{1,40}\/[\w!#$&^.+-]{1,40}/;
const shownCharsetShape = /;[ \t]*charset[ \t]*=[ \t]*"?[\w-]{1,20}"?/i;

/**
 * What diagnostics show of a content type that is not JSON in UTF-8: the media type and its charset, without other parameters.
 * A header may hold anything, so anything else is shown as `malformed`, and so is a header whose shown part would look right.
 */
export function shownContentType(value: string): string {
  const type = typeShape.exec(value)?.[0];
  if (type === undefined) return value === '' ? '' : 'malformed';
  const shown = `${type}${shownCharsetShape.exec(value)?.[0] ?? ''}`;
  return isJsonContentType(shown) ? 'malformed' : shown;
}
