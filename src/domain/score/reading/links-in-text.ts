import { isAsciiLetter, isHostCharacter } from '../tables/letters.ts';
import { bareLinkDomains, bareLinkDomainsWithPath } from '../tables/link-hosts.ts';

/** A link ends at white space or at a character that markup or a sentence puts after it. */
export function linkEnd(text: string, start: number): number {
  let at = start;
  while (at < text.length && !endsLink(text.charCodeAt(at))) at++;
  while (at > start && '.,;:!?)'.includes(text.charAt(at - 1))) at--;
  return at;
}

function endsLink(code: number): boolean {
  // Space and controls, " ' < > [ ] ` { | } and the wide spaces.
  return (
    code <= 32 ||
    code === 34 ||
    code === 39 ||
    code === 60 ||
    code === 62 ||
    code === 91 ||
    code === 93 ||
    code === 96 ||
    (code >= 123 && code <= 125) ||
    code === 0xa0 ||
    code === 0x3000
  );
}

const hostCharactersMax = 64;

/** Where the host begins of which a label from `start` on ends at the dot `dot`. */
export function hostStart(text: string, start: number, dot: number): number {
  let begin = start;
  while (begin > 0 && dot - begin < hostCharactersMax && isHostCharacter(text.charCodeAt(begin - 1))) begin--;
  return begin;
}

const labelCharactersMax = 24;
/** "B.Tech" is a degree, "b.tech/offer" is a link. */
const continuesLink: ReadonlySet<string> = new Set(['/', '?', '#', ':']);

/**
 * "visit shop.example.com today": does a top-level domain start at the dot `dot`? An email address ("a@b.com") is not
 * a link. Sentences without a space after the full stop are common, so short endings need a path behind them.
 */
export function isBareDomain(text: string, begin: number, dot: number): boolean {
  if (begin > 0 && '@/\\'.includes(text.charAt(begin - 1))) return false;
  let end = dot + 1;
  while (end < text.length && end - dot <= labelCharactersMax && isAsciiLetter(text.charCodeAt(end))) end++;
  if (end - dot < 3) return false;
  const next = text.charAt(end);
  // A longer name: its last dot decides.
  if (next === '.' && isAsciiLetter(text.charCodeAt(end + 1))) return false;
  if (next === '@' || next === '-' || next === '_' || (next >= '0' && next <= '9')) return false;
  const ending = text.slice(dot + 1, end).toLowerCase();
  if (dot - begin === 1 && ending === 'tech' && !continuesLink.has(next)) return false;
  return bareLinkDomains.has(ending) || (next === '/' && bareLinkDomainsWithPath.has(ending));
}

/** The text without its links, so that a link never hides the words around it. */
export function withoutLinks(
  text: string,
  links: readonly { readonly start: number; readonly end: number }[],
): string {
  let rest = '';
  let from = 0;
  for (const { start, end } of links) {
    rest += text.slice(from, start);
    from = end;
  }
  return (rest + text.slice(from)).trim();
}
