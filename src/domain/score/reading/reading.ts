import type { LeadFields } from '../../lead/lead.ts';
import type { CompiledScoring } from '../settings/compile.ts';
import type { FieldKind } from '../settings/field-kinds.ts';
import type { EmailAddress, EmailClass } from './email.ts';
import { isOnlyLinks, kindOfKey, kindOfValue } from './fields.ts';
import { MessagePrint } from './message-print.ts';
import type { LinkInText, TextScan } from './scan.ts';

export interface LeadField {
  readonly key: string;
  readonly kind: FieldKind;
  /** Trimmed, and no longer than what is read of a lead at most. */
  readonly value: string;
  /** Known by the key or by the owner's word, not only by the look of the value. */
  readonly isCertain: boolean;
}

const textsMax = 64;
const leadCharactersMax = 8_192;
/** Of any kind, in all depths: what is empty, a number or a container costs a look as well. */
const valuesMax = 1_000;
/** Whose keys are looked up, in case they are phone numbers: a key that was never seen before takes some time. */
const numbersMax = 64;
const depthMax = 3;

/** What one lead says, as far as it was understood; the families of rules read it and add to it. */
export class LeadReading {
  readonly fields: LeadField[] = [];
  /** True when any field holds something besides links, also one that is not read. */
  isFilled = false;
  charactersLeft = leadCharactersMax;
  valuesLeft = valuesMax;
  numbersLeft = numbersMax;
  /** What was read of a lead that holds more than that; null for one that was read to its end. */
  readUpTo: string | null = null;

  email: (EmailAddress & { readonly registrable: string; readonly class: EmailClass }) | null = null;
  links: (LinkInText & { readonly field: LeadField })[] = [];
  isLinkAlone = false;
  isMostlyLinks = false;
  nameSpelling = { sum: 0, letters: 0 };
  companySpelling = { sum: 0, letters: 0 };
  textSpelling = { sum: 0, letters: 0 };
  textFields = 0;
  randomNameWords = 0;
  randomTextWords = 0;
  textWords = 0;
  hasPhone = false;
  /** Of the first message, for the memory of what came before. */
  readonly messagePrint = new MessagePrint();
  messageField: LeadField | null = null;

  /** The message that has just been scanned, the first one of the lead. */
  noteMessage(field: LeadField, scan: TextScan, planes: Int32Array): void {
    if (this.messageField !== null) return;
    this.messageField = field;
    this.messagePrint.take(scan, planes);
  }

  first(kind: FieldKind): LeadField | null {
    for (const field of this.fields) if (field.kind === kind) return field;
    return null;
  }
}

export function readLead(lead: LeadFields, { fieldMap }: CompiledScoring): LeadReading {
  const reading = new LeadReading();
  collect(lead, fieldMap, reading, 1);
  return reading;
}

/** Values inside values count like those at the top, because some senders wrap the lead once more. */
function collect(
  container: Readonly<Record<string, unknown>> | readonly unknown[],
  fieldMap: ReadonlyMap<string, FieldKind>,
  reading: LeadReading,
  depth: number,
): void {
  if (Array.isArray(container)) {
    // Not by its keys: an array of 65,000 numbers would make as many texts of them first.
    for (let at = 0; at < container.length && hasRoom(reading); at++)
      readValue(String(at), container[at], fieldMap, reading, depth);
    return;
  }
  const object = container as Readonly<Record<string, unknown>>;
  for (const key in object) {
    if (!hasRoom(reading)) return;
    readValue(key, object[key], fieldMap, reading, depth);
  }
}

const bounds = {
  texts: `${textsMax} texts`,
  values: `${valuesMax.toLocaleString('en')} values`,
  characters: `${leadCharactersMax.toLocaleString('en')} characters`,
} as const;

/** Notes where the reading ends. */
function hasRoom(reading: LeadReading): boolean {
  if (reading.fields.length >= textsMax) reading.readUpTo ??= bounds.texts;
  else if (reading.valuesLeft <= 0) reading.readUpTo ??= bounds.values;
  else if (reading.charactersLeft <= 0) reading.readUpTo ??= bounds.characters;
  return reading.readUpTo === null;
}

function readValue(
  key: string,
  value: unknown,
  fieldMap: ReadonlyMap<string, FieldKind>,
  reading: LeadReading,
  depth: number,
): void {
  reading.valuesLeft--;
  if (typeof value === 'string') addText(key, value, fieldMap, reading);
  else if (typeof value === 'number') {
    reading.isFilled = true;
    const kind = fieldMap.get(key) ?? (reading.numbersLeft-- > 0 ? kindOfKey(key) : 'other');
    if (kind === 'phone') addText(key, String(value), fieldMap, reading);
  } else if (typeof value === 'object' && value !== null) {
    if (depth < depthMax) collect(value as Record<string, unknown>, fieldMap, reading, depth + 1);
  } else if (value !== null && value !== undefined) reading.isFilled = true;
}

function addText(
  key: string,
  text: string,
  fieldMap: ReadonlyMap<string, FieldKind>,
  reading: LeadReading,
): void {
  const left = reading.charactersLeft;
  const value = (text.length > left ? text.slice(0, left) : text).trim();
  if (text.length > left) reading.readUpTo ??= bounds.characters;
  if (value === '') return;
  reading.isFilled ||= !isOnlyLinks(value);
  reading.charactersLeft = left - value.length;
  const byKey = fieldMap.get(key) ?? kindOfKey(key);
  const isCertain = byKey !== 'other';
  reading.fields.push({ key, kind: isCertain ? byKey : kindOfValue(value), value, isCertain });
}
