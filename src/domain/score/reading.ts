import type { LeadFields } from '../lead.ts';
import type { CompiledScoring } from './compile.ts';
import type { EmailAddress, EmailClass } from './email.ts';
import type { FieldKind } from './field-kinds.ts';
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

const fieldsMax = 64;
const leadCharactersMax = 8_192;
const depthMax = 3;

/** What one lead says, as far as it was understood; the families of rules read it and add to it. */
export class LeadReading {
  readonly fields: LeadField[] = [];
  /** True when any field holds something besides links, also one that is not read. */
  isFilled = false;
  charactersLeft = leadCharactersMax;

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
  container: Readonly<Record<string, unknown>>,
  fieldMap: ReadonlyMap<string, FieldKind>,
  reading: LeadReading,
  depth: number,
): void {
  for (const key in container) {
    if (reading.fields.length >= fieldsMax || reading.charactersLeft <= 0) return;
    const value = container[key];
    if (typeof value === 'string') addText(key, value, fieldMap, reading);
    else if (typeof value === 'number') {
      reading.isFilled = true;
      const kind = fieldMap.get(key) ?? kindOfKey(key);
      if (kind === 'phone') addText(key, String(value), fieldMap, reading);
    } else if (typeof value === 'object' && value !== null) {
      if (depth < depthMax) collect(value as Record<string, unknown>, fieldMap, reading, depth + 1);
    } else if (value !== null && value !== undefined) reading.isFilled = true;
  }
}

function addText(
  key: string,
  text: string,
  fieldMap: ReadonlyMap<string, FieldKind>,
  reading: LeadReading,
): void {
  const left = reading.charactersLeft;
  const value = (text.length > left ? text.slice(0, left) : text).trim();
  if (value === '') return;
  reading.isFilled ||= !isOnlyLinks(value);
  reading.charactersLeft = left - value.length;
  const byKey = fieldMap.get(key) ?? kindOfKey(key);
  const isCertain = byKey !== 'other';
  reading.fields.push({ key, kind: isCertain ? byKey : kindOfValue(value), value, isCertain });
}
