import { type FieldType, linkCharactersMax, textCharactersMax, textsMax } from './fields.ts';

const countryShape = /^[A-Z]{2}$/;
// Most values are plain ASCII and skip the slower Unicode patterns.
const plainShape = /^[!-~]+(?: [!-~]+)*$/;

/**
 * A provider's value made safe to store and show, or null if it does not have this type. Outside data is not trusted:
 * no control characters, no lone surrogates, one line at most.
 */
export function fitValue(type: FieldType, value: unknown): string | boolean | string[] | null {
  if (type === 'flag') return typeof value === 'boolean' ? value : null;
  if (type === 'texts') return fitTexts(value);
  const text = fitText(value, type === 'link' ? linkCharactersMax : textCharactersMax);
  if (text === null) return null;
  if (type === 'text') return text;
  if (type === 'link') return fitLink(value);
  if (type === 'country') return fitCountry(text);
  return type.includes(text) ? text : null;
}

export function fitText(value: unknown, charactersMax = textCharactersMax): string | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  if (typeof value === 'string' && value.length <= charactersMax && plainShape.test(value)) return value;
  // Cut before cleaning, so that the cost of cleaning is bounded.
  const text = String(value)
    .slice(0, charactersMax * 4)
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim();
  const cut = text.length <= charactersMax ? text : `${text.slice(0, charactersMax - 1).trimEnd()}…`;
  return cut === '' ? null : cut.toWellFormed();
}

function fitTexts(value: unknown): string[] | null {
  const list = Array.isArray(value) ? value.slice(0, textsMax * 4) : [value];
  const texts = list.map((item) => fitText(item)).filter((item) => item !== null);
  return texts.length === 0 ? null : [...new Set(texts)].slice(0, textsMax);
}

function fitLink(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > linkCharactersMax || !URL.canParse(value)) return null;
  const url = new URL(value);
  const isPlain = /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
  return isPlain && url.href.length <= linkCharactersMax ? url.href : null;
}

function fitCountry(text: string): string | null {
  const code = text.toUpperCase();
  return countryShape.test(code) ? code : null;
}
