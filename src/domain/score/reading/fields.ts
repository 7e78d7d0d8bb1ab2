import type { FieldKind } from '../settings/field-kinds.ts';
import { kindBySpelling, kindByStem } from '../tables/field-names.ts';

export interface RecognisedField {
  readonly key: string;
  readonly kind: FieldKind;
  readonly value: string;
}

const keyCharactersMax = 64;
const rememberedMax = 10_000;
// Forms send the same keys again and again.
const remembered = new Map<string, FieldKind>();

/** By the key alone, whatever its language, case and separators; `other` when it means nothing to us. */
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
  // "contact[email]", "field_3_email", "billing-phone": the meaning stands at the end or in the middle.
  if (!anyStem.test(spelling)) return 'other';
  for (const [stem, kind] of kindByStem) if (spelling.includes(stem)) return kind;
  return 'other';
}

/** Says in one go that none of them is there, which is so for most keys that mean nothing. */
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

const link = /(?:https?:\/\/|www\.)\S*/gi;

/** For a key that means nothing: what the value looks like. A link beside it does not change what it is. */
export function kindOfValue(value: string): FieldKind {
  const text = hasLink(value) ? value.replace(link, '').trim() : value;
  if (text !== '') return kindOfText(text);
  return isOneWord(value) ? 'website' : 'message';
}

export function isOnlyLinks(value: string): boolean {
  return hasLink(value) && value.replace(link, '').trim() === '';
}

function hasLink(value: string): boolean {
  return value.includes('://') || /www\./i.test(value);
}

function kindOfText(text: string): FieldKind {
  if (text.length <= 254 && text.indexOf('@') > 0 && text.includes('.') && isOneWord(text)) return 'email';
  if (text.length <= 26 && phoneShape.test(text)) return 'phone';
  return text.length >= messageCharactersMin && text.includes(' ') ? 'message' : 'other';
}

function isOneWord(value: string): boolean {
  return value.search(/\s/) === -1;
}

/** More than any form has: a key that was never seen before takes some time to look up. */
const textsReadMax = 300;

/** The filled text fields of a lead that mean something, among the first of them. Keys decide first, then the shape of the value. */
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
