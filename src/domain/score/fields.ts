import type { LeadFields } from '../lead.ts';

export type FieldKind = 'email' | 'name' | 'company' | 'phone';

const kindByKey = new Map<string, FieldKind>([
  ...keys(
    'email',
    'email mail emailaddress workemail businessemail youremail courriel correo correoelectronico',
  ),
  ...keys(
    'name',
    'name fullname yourname firstname lastname givenname familyname surname vorname nachname nom prenom nombre',
  ),
  ...keys('company', 'company companyname organisation organization firma unternehmen entreprise empresa'),
  ...keys('phone', 'phone phonenumber tel telephone telefon mobile cell telefono handy'),
]);

export interface RecognisedField {
  readonly key: string;
  readonly kind: FieldKind;
  readonly value: string;
}

/** Leads are arbitrary JSON: a field is recognised by its key, whatever its case and separators. */
export function recogniseFields(fields: LeadFields): RecognisedField[] {
  const recognised: RecognisedField[] = [];
  for (const key of Object.keys(fields)) {
    const kind = kindOf(key);
    const value = fields[key];
    if (kind !== null && typeof value === 'string' && value.trim() !== '')
      recognised.push({ key, kind, value });
  }
  return recognised;
}

const keyCharactersMax = 40;
const rememberedMax = 10_000;
// Forms send the same keys again and again; null is a key that means nothing to us.
const remembered = new Map<string, FieldKind | null>();

function kindOf(key: string): FieldKind | null {
  if (key.length > keyCharactersMax) return null;
  const known = remembered.get(key);
  if (known !== undefined) return known;
  const kind = kindByKey.get(key.toLowerCase().replace(/[^a-z]/g, '')) ?? null;
  if (remembered.size >= rememberedMax) remembered.clear();
  remembered.set(key, kind);
  return kind;
}

function keys(kind: FieldKind, spellings: string): [string, FieldKind][] {
  return spellings.split(' ').map((spelling) => [spelling, kind]);
}
