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
    const kind = key.length <= 40 ? kindByKey.get(key.toLowerCase().replace(/[^a-z]/g, '')) : undefined;
    const value = fields[key];
    if (kind !== undefined && typeof value === 'string' && value.trim() !== '')
      recognised.push({ key, kind, value });
  }
  return recognised;
}

function keys(kind: FieldKind, spellings: string): [string, FieldKind][] {
  return spellings.split(' ').map((spelling) => [spelling, kind]);
}
