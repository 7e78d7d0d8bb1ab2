import type { FieldKind } from '../settings/field-kinds.ts';
import { kindBySpelling, kindByStem } from '../tables/field-names.ts';

export interface RecognisedField {
  readonly key: string;
  readonly kind: FieldKind;
  readonly value: string;
}

const keyCharactersMax = 64;
const rememberedMax = 10_000;
// Forms send the same keys over and over.
const remembered = new Map<string, FieldKind>();

/** By the key alone, in any language, case and separators; `other` if the key is unknown. */
export function kindOfKey(key: string): FieldKind {
  const known = remembered.get(key);
  if (known !== undefined) return known;
  if (key.length > keyCharactersMax) return 'other';
  const kind = kindOfSpelling(key);
  if (remembered.size >= rememberedMax) remembered.clear();
  remembered.set(key, kind);
  return kind;
}

function kindOfSpelling(key: string): FieldKind {
  const spelling = normalised(key);
  const exact = kindBySpelling.get(spelling);
  if (exact !== undefined) return exact;
  if (/^utm[a-z]/.test(spelling)) return 'attribution';
  // "contact[email]", "field_3_email", "billing-phone": the telling part is in the middle or at the end.
  if (!anyStem.test(spelling)) return 'other';
  for (const [stem, kind] of kindByStem) if (spelling.includes(stem)) return kind;
  return 'other';
}

/** One test that rules out all stems, because most unknown keys contain none. */
const anyStem = new RegExp(kindByStem.map(([stem]) => stem).join('|'));

function normalised(key: string): string {
  if (/^[\x20-\x7e]*$/.test(key)) return key.toLowerCase().replace(/[^a-z]+/g, '');
  return key
    .toWellFormed()
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}]/gu, '');
}

const phoneShape = /^(?:\+|00)[\d\s()./-]{7,24}$/;
const messageCharactersMin = 60;

// "ada@www.engines.io" and "www.ada@engines.io" are slips of people who type an address.
const link = /(?:https?:\/\/|(?<!@)www\.(?![^\s/@]{0,64}@))\S*/gi;
const webHost = /(?<!@)www\.(?![^\s/@]{0,64}@)/i;

/** For an unknown key: what the value looks like. A link next to it makes no difference. */
export function kindOfValue(value: string): FieldKind {
  const text = hasLink(value) ? value.replace(link, '').trim() : value;
  if (text !== '') return kindOfText(text);
  return isOneWord(value) ? 'website' : 'message';
}

export function isOnlyLinks(value: string): boolean {
  return hasLink(value) && value.replace(link, '').trim() === '';
}

export function hasLink(value: string): boolean {
  return value.includes('://') || (/www\./i.test(value) && webHost.test(value));
}

function kindOfText(text: string): FieldKind {
  if (text.length <= 254 && text.indexOf('@') > 0 && text.includes('.') && isOneWord(text)) return 'email';
  if (text.length <= 26 && phoneShape.test(text)) return 'phone';
  return text.length >= messageCharactersMin && text.includes(' ') ? 'message' : 'other';
}

function isOneWord(value: string): boolean {
  return value.search(/\s/) === -1;
}

/** More than any real form has. Looking up a key for the first time takes a while. */
const textsReadMax = 300;

/** The filled text fields that have a known meaning, by key or else by the shape of the value. */
export function recogniseFields(
  fields: Readonly<Record<string, unknown>>,
  fieldMap?: ReadonlyMap<string, FieldKind>,
): RecognisedField[] {
  const recognised: RecognisedField[] = [];
  let left = textsReadMax;
  for (const key of Object.keys(fields)) {
    const value = fields[key];
    if (typeof value !== 'string' || value.trim() === '') continue;
    if (left-- === 0) break;
    const byKey = fieldMap?.get(key) ?? kindOfKey(key);
    const kind = byKey === 'other' ? kindOfValue(value.trim()) : byKey;
    if (kind !== 'other') recognised.push({ key, kind, value });
  }
  return recognised;
}
