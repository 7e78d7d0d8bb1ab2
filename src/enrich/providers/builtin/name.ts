import { providerVersions } from '../../../domain/enrichment/provider-versions.ts';
import type { Input } from '../../reading/input.ts';
import type { BuiltinProvider, FieldValue } from '../provider.ts';

const charactersMax = 100;
const honorifics =
  /^(?:mr|mrs|ms|miss|mx|dr|prof|herr|frau|hr|fr|monsieur|madame|mme|mlle|m|sr|sra|srta|don|dona|dipl|ing|sir)\.?$/i;
const suffixes = /^(?:jr|sr|ii|iii|iv|phd|md|mba|msc|bsc|esq)\.?$/i;
/** Words that start a last name, except at the very beginning. */
const particles = new Set(
  `van von der den de del della di da do dos das du la le ter ten zu zum zur vom af av bin ibn al el st san ben y e`.split(
    ' ',
  ),
);
// Written with the last name first, and often without a space.
const familyFirst = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\s]+$/u;

/** Splits a name and fixes its case. It concludes nothing about gender or origin. */
export const name: BuiltinProvider = {
  id: 'name',
  version: providerVersions.name,
  phase: 'builtin',
  text: 'First and last name, split if only a full name was typed, with the usual case.',
  enrich(input) {
    const first = input.extras.get('first_name');
    const last = input.extras.get('last_name');
    if (first !== undefined || last !== undefined) {
      return [...part('first_name', first, 0.95), ...part('last_name', last, 0.95)];
    }
    const split = input.name === null ? fromAddress(input) : splitName(input.name);
    if (split === null) return [];
    const confidence = input.name === null ? 0.5 : split.last === null ? 0.6 : 0.85;
    const method = input.name === null ? 'guess' : 'normalised';
    return [
      ...part('first_name', split.first, confidence, method),
      ...part('last_name', split.last, confidence, method),
    ];
  },
};

function part(
  which: string,
  text: string | null | undefined,
  confidence: number,
  method: FieldValue['method'] = 'normalised',
): FieldValue[] {
  if (text == null || text.length > charactersMax) return [];
  return [{ path: `person.${which}`, value: usualCase(text), confidence, method }];
}

interface SplitName {
  readonly first: string | null;
  readonly last: string | null;
}

export function splitName(text: string): SplitName | null {
  if (text.length > charactersMax || /[@\d]|:\/\//.test(text) || familyFirst.test(text)) return null;
  const comma = text.indexOf(',');
  if (comma > 0) {
    const after = text.slice(comma + 1).trim();
    if (!suffixes.test(after)) return { first: after || null, last: text.slice(0, comma).trim() };
    return splitName(text.slice(0, comma));
  }
  const words = text.trim().split(/\s+/);
  while (words.length > 1 && honorifics.test(words[0] as string)) words.shift();
  while (words.length > 1 && suffixes.test(words.at(-1) as string)) words.pop();
  if (words.length === 1) return { first: words[0] || null, last: null };
  const start = words.findIndex((word, i) => i > 0 && particles.has(word.toLowerCase()));
  const cut = start > 0 && start < words.length - 1 ? start : words.length - 1;
  return { first: words.slice(0, cut).join(' '), last: words.slice(cut).join(' ') };
}

/** `ada.lovelace@` is a name at a company; at a free email provider it could be anything. */
function fromAddress({ email, domain, domainFrom }: Input): SplitName | null {
  if (email === null || domain === null || domainFrom !== 'email') return null;
  const match = /^([a-z]{2,})[._]([a-z]{2,}(?:-[a-z]+)?)$/i.exec(email.local);
  return match === null ? null : { first: match[1] as string, last: match[2] as string };
}

/** Fixes only names in a single case: DeShawn and de la Cruz are intentional. */
export function usualCase(text: string): string {
  const hasCase = text.toLowerCase() !== text.toUpperCase();
  if (!hasCase || (text !== text.toLowerCase() && text !== text.toUpperCase())) return text;
  return text
    .toLowerCase()
    .split(' ')
    .map((word, i) => ((i > 0 || text.includes(' ')) && particles.has(word) ? word : capital(word)))
    .join(' ');
}

function capital(word: string): string {
  return word.replace(
    /(^|[-'’])(mc)?(\p{L})/gu,
    (_, before: string, mc: string | undefined, letter: string) =>
      `${before}${mc === undefined ? '' : 'Mc'}${letter.toUpperCase()}`,
  );
}
