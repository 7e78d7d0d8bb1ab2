import { compact, itemsOf, type JsonText, kindOf, textOf } from '../../json/json-text.ts';
import { decimalShape } from './decimal.ts';

/**
 * What a row of a mapping can send a value as.
 *
 *   text      text as it is; a number as it is written; `true` or `false`; lists and objects as JSON
 *   number    a number as it is written, however long; also from text such as ` 12.5 ` or `0049`
 *   boolean   true or false; also from `yes`, `no`, `on`, `off`, `1`, `0`, `true` and `false` in any case
 *   date      `2026-11-16`, or `2026-11-16T08:00:00.000Z` if there is a time; from ISO 8601 (UTC without an offset), from
 *             16.11.2026, and from Unix seconds or milliseconds. 11/16/2026 is ambiguous and cannot be converted.
 *   email     trimmed, with the domain in lower case
 *   phone     digits, with a leading + if there is one or `00`: `+49 (0)30 1234` becomes `+49301234`
 *   list      the items of a list as one text, separated by commas; a single value as text
 */
export const conversions = ['text', 'number', 'boolean', 'date', 'email', 'phone', 'list'] as const;
export type Conversion = (typeof conversions)[number];

const itemsMax = 1_000;
const shortCharactersMax = 320;

/** Null if the value cannot be converted. */
export function converted(as: Conversion, json: JsonText): JsonText | null {
  switch (as) {
    case 'text':
      return kindOf(json) === 'text' ? json : JSON.stringify(compact(json));
    case 'list':
      return JSON.stringify(joined(json));
    case 'number':
      return numberIn(json);
    default: {
      const text = shortText(json);
      if (text === null) return null;
      const value = conversionOfText[as](text);
      return value === null ? null : JSON.stringify(value);
    }
  }
}

function joined(json: JsonText): string {
  if (kindOf(json) !== 'list') return textOf(compact(json));
  return itemsOf(json, itemsMax)
    .filter((item) => item !== 'null')
    .map((item) => textOf(compact(item)))
    .join(', ');
}

function numberIn(json: JsonText): JsonText | null {
  const kind = kindOf(json);
  if (kind === 'number') return json;
  const text = textOf(json).trim();
  if (kind !== 'text' || !decimalShape.test(text)) return null;
  // JSON knows neither a plus nor leading zeros.
  const [, minus = '', digits = ''] = /^(?:\+|(-))?0*(\d.*)$/.exec(text) ?? [];
  return minus + digits;
}

/** What a person can have typed in a line; null for longer text, lists and objects. */
function shortText(json: JsonText): string | null {
  if (!['text', 'number', 'boolean'].includes(kindOf(json)) || json.length > shortCharactersMax) return null;
  const text = textOf(json).trim();
  return text === '' ? null : text;
}

const yes = new Set(['true', 'yes', 'on', '1']);
const no = new Set(['false', 'no', 'off', '0']);

const conversionOfText = {
  boolean(text: string): boolean | null {
    const word = text.toLowerCase();
    if (yes.has(word)) return true;
    return no.has(word) ? false : null;
  },

  date(text: string): string | null {
    const [, day, month, year] = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/.exec(text) ?? [];
    if (year !== undefined) return dateIn(`${year}-${month?.padStart(2, '0')}-${day?.padStart(2, '0')}`);
    if (/^\d{9,10}$/.test(text)) return timeIn(Number(text) * 1000);
    if (/^\d{12,13}$/.test(text)) return timeIn(Number(text));
    if (/^\d{4}-\d\d-\d\d$/.test(text)) return dateIn(text);
    const [, date, time, offset] =
      /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)(Z|[+-]\d\d:?\d\d)?$/i.exec(text) ?? [];
    if (date === undefined || dateIn(date) === null) return null;
    return timeIn(Date.parse(`${date}T${time}${withColon(offset ?? 'Z')}`));
  },

  email(text: string): string | null {
    const at = text.lastIndexOf('@');
    const domain = text.slice(at + 1);
    const isAddress =
      at > 0 &&
      text.length <= 254 &&
      !/[\s@<>,;:"()[\]\\\p{Cc}]/u.test(text.slice(0, at)) &&
      isDomain(domain);
    return isAddress ? `${text.slice(0, at)}@${domain.toLowerCase()}` : null;
  },

  phone(text: string): string | null {
    const plain = text.replace(/\(0\)/g, '').replace(/[\s()./\-\u2010-\u2015]/g, '');
    const [, prefix, digits] = /^(\+|00)?(\d{5,15})$/.exec(plain) ?? [];
    if (digits === undefined) return null;
    return prefix === undefined ? digits : `+${digits}`;
  },
};

/** Null for the 30th of February, which Date would move to March. */
function dateIn(text: string): string | null {
  const time = Date.parse(`${text}T00:00:00Z`);
  return Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== text ? null : text;
}

function timeIn(ms: number): string | null {
  return Number.isNaN(ms) ? null : new Date(ms).toISOString();
}

function withColon(offset: string): string {
  return offset.replace(/^([+-]\d\d)(\d\d)$/, '$1:$2').toUpperCase();
}

function isDomain(text: string): boolean {
  const labels = text.split('.');
  return (
    labels.length >= 2 &&
    labels.every((label) => /^[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?$/u.test(label))
  );
}
