import { contextField } from '../../lead/attribution.ts';
import type { LeadFields } from '../../lead/lead.ts';
import { contextOf, visitFields, visitMembers } from '../families/page.ts';
import type { CompiledScoring } from '../settings/compile.ts';
import type { FieldKind } from '../settings/field-kinds.ts';
import { newOdds } from '../typed/odds.ts';
import type { EmailAddress, EmailClass } from './email.ts';
import { isOnlyLinks, kindOfKey, kindOfValue } from './fields.ts';
import { MessagePrint } from './message-print.ts';
import type { LinkInText, TextScan } from './scan.ts';
import { wordHash } from './word-hash.ts';

export interface LeadField {
  readonly key: string;
  readonly kind: FieldKind;
  /** Trimmed, and cut to the most that is read of a lead. */
  readonly value: string;
  /** The kind is known from the key or the form's settings, not only from the look of the value. */
  readonly isCertain: boolean;
}

const textsMax = 64;
const leadCharactersMax = 8_192;
/** Values of any kind at any depth: empty values, numbers and containers take time too. */
const valuesMax = 1_000;
/** Values that may be phone numbers and whose keys are looked up; an unknown key takes a while. */
const numbersMax = 64;
const depthMax = 3;

/** What was understood of one lead. The rule families read it and add to it. */
export class LeadReading {
  readonly fields: LeadField[] = [];
  /** True if any field contains more than links, even a field that is not read. */
  isFilled = false;
  charactersLeft = leadCharactersMax;
  valuesLeft = valuesMax;
  numbersLeft = numbersMax;
  /** How much was read of a lead that is too long; null if all of it was read. */
  readUpTo: string | null = null;

  email: (EmailAddress & { readonly registrable: string; readonly class: EmailClass }) | null = null;
  readonly links: (Pick<LinkInText, 'start' | 'end'> & { readonly field: LeadField })[] = [];
  /** Words of all fields in which links may stand. */
  wordsBesideLinks = 0;
  /** The first brand that each text with a link names. */
  readonly brands: string[] = [];
  /** The more, the more of a message is links. */
  linkShare = 0;
  /** The words of a text with a link, if they are doubtful only beside a link to another site than the sender's. */
  doubtBesideLink: { readonly key: string; readonly evidence: string } | null = null;
  nameSpelling = { sum: 0, letters: 0 };
  companySpelling = { sum: 0, letters: 0 };
  textSpelling = { sum: 0, letters: 0 };
  textFields = 0;
  randomNameWords = 0;
  randomTextWords = 0;
  /** The random words of the name, and the random run of letters before the @. They are judged together. */
  randomName: { readonly key: string; readonly evidence: string } | null = null;
  randomLocal: { readonly key: string; readonly evidence: string } | null = null;
  readonly nameOdds = newOdds();
  /** Of messages of a few words. */
  readonly textOdds = newOdds();
  firstNameHash = 0;
  /** What was typed to try out the form. */
  typedTest: { readonly key: string; readonly evidence: string } | null = null;
  textWords = 0;
  hasPhone = false;
  /** Fingerprint of the first message, to recognise repeats. */
  readonly messagePrint = new MessagePrint();
  messageField: LeadField | null = null;
  /** Sum of hashes of numbers and ticks, to recognise repeats: otherwise orders of different quantities look the same. */
  choices = 0;

  /** The message that was just scanned, the first one of the lead. */
  noteMessage(field: LeadField, scan: TextScan): void {
    if (this.messageField !== null) return;
    this.messageField = field;
    this.messagePrint.take(scan);
  }

  first(kind: FieldKind): LeadField | null {
    for (const field of this.fields) if (field.kind === kind) return field;
    return null;
  }
}

/** `isFromPage`: what the SDK of web pages adds is not read as text. Other senders may use these names for anything. */
export function readLead(lead: LeadFields, { fieldMap }: CompiledScoring, isFromPage: boolean): LeadReading {
  const reading = new LeadReading();
  collect(lead, fieldMap, reading, 1, isFromPage ? visitFields : null);
  if (!isFromPage || !Object.hasOwn(lead, contextField)) return reading;
  const context = contextOf(lead);
  if (context !== null) collect(context, fieldMap, reading, 2, visitMembers);
  else if (hasRoom(reading)) readValue(contextField, lead[contextField], fieldMap, reading, 1);
  return reading;
}

/** Nested values count like those at the top, because some senders wrap the lead. */
function collect(
  container: Readonly<Record<string, unknown>> | readonly unknown[],
  fieldMap: ReadonlyMap<string, FieldKind>,
  reading: LeadReading,
  depth: number,
  unread: ReadonlySet<string> | null = null,
): void {
  if (Array.isArray(container)) {
    // Not through its keys: for an array of 65,000 numbers that would make 65,000 strings first.
    for (let at = 0; at < container.length && hasRoom(reading); at++)
      readValue(String(at), container[at], fieldMap, reading, depth);
    return;
  }
  const object = container as Readonly<Record<string, unknown>>;
  for (const key in object) {
    if (unread?.has(key)) continue;
    if (!hasRoom(reading)) return;
    readValue(key, object[key], fieldMap, reading, depth);
  }
}

const bounds = {
  texts: `${textsMax} texts`,
  values: `${valuesMax.toLocaleString('en')} values`,
  characters: `${leadCharactersMax.toLocaleString('en')} characters`,
} as const;

/** Records where reading stopped. */
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
    noteChoice(key, value, reading);
    const kind = fieldMap.get(key) ?? (reading.numbersLeft-- > 0 ? kindOfKey(key) : 'other');
    if (kind === 'phone') addText(key, String(value), fieldMap, reading);
  } else if (typeof value === 'object' && value !== null) {
    if (depth < depthMax) collect(value as Record<string, unknown>, fieldMap, reading, depth + 1);
  } else if (value !== null && value !== undefined) {
    reading.isFilled = true;
    noteChoice(key, value === true ? 1 : 2, reading);
  }
}

/** Larger numbers are times and identifiers, which differ in every copy. */
const choiceMax = 1e9;
const keyCharactersHashed = 64;

function noteChoice(key: string, value: number, reading: LeadReading): void {
  if (Math.abs(value) >= choiceMax) return;
  const hash = Math.imul((value | 0) ^ Math.imul((value * 4_096) | 0, 0x85ebca6b), 0x9e3779b1);
  reading.choices = (reading.choices + Math.imul(hash ^ (hash >>> 15), keyWeight(key))) | 0;
}

/** Tells fields apart in a sum of hashes. */
export function keyWeight(key: string): number {
  const known = key.length > keyCharactersHashed ? key.slice(0, keyCharactersHashed) : key;
  return (wordHash(known) ^ key.length) | 1;
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
