/** The years that RFC 3339 can write. */
const yearsMin = Date.UTC(1970, 0);
const yearsMax = Date.UTC(9999, 11, 31);

/**
 * Reads a time as people have it at hand: RFC 3339, a `Date` header, Unix seconds or milliseconds. A time without a zone is
 * local. Null if it is none of these.
 */
export function readTime(text: string): number | null {
  const given = text.trim().replace(/^date:\s*/i, '');
  const time = /^\d{9,10}$/.test(given)
    ? Number(given) * 1_000
    : /^\d{12,13}$/.test(given)
      ? Number(given)
      : // "1" is a year to some parsers.
        /\d{4}.*\d:\d\d/.test(given)
        ? Date.parse(given)
        : Number.NaN;
  return time >= yearsMin && time <= yearsMax ? time : null;
}
