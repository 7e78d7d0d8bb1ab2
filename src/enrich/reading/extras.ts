import { attributionSpellings, type ClickId, clickIds } from '../../domain/lead/attribution.ts';
import type { LeadFields } from '../../domain/lead/lead.ts';

/** Fields that only enrichment reads. Those that the scorer reads too are in domain/score/reading/fields.ts. */
export type ExtraKind =
  | 'first_name'
  | 'last_name'
  | 'title'
  | 'country'
  | 'website'
  | 'language'
  | 'timezone'
  | 'referrer'
  | 'landing'
  | 'source'
  | 'medium'
  | 'campaign'
  | 'term'
  | 'content'
  | ClickId;

const spellings: Record<Exclude<ExtraKind, ClickId>, string> = {
  first_name: 'firstname givenname forename vorname prenom nombre fname',
  last_name: 'lastname familyname surname nachname nomdefamille apellido apellidos lname',
  title:
    'title jobtitle job position role jobrole yourrole beruf funktion jobbezeichnung stellenbezeichnung poste fonction puesto cargo',
  country: 'country countrycode land pays pais yourcountry',
  website: 'website url site homepage webseite siteweb sitioweb companywebsite web companyurl',
  language: 'language lang locale sprache langue idioma',
  timezone: 'timezone tz zeitzone fuseauhoraire zonahoraria',
  ...attributionSpellings,
};

const kindByKey = new Map<string, ExtraKind>([
  ...Object.entries(spellings).flatMap(([kind, keys]) =>
    keys.split(' ').map((key): [string, ExtraKind] => [key, kind as ExtraKind]),
  ),
  ...clickIds.map((id): [string, ExtraKind] => [bare(id), id]),
]);

const keyCharactersMax = 40;
const fieldsReadMax = 200;
const rememberedMax = 10_000;
// Forms send the same keys over and over; null is an unknown key.
const remembered = new Map<string, ExtraKind | null>();

/** The first filled value of each kind. */
export function recogniseExtras(fields: LeadFields): Map<ExtraKind, string> {
  const found = new Map<ExtraKind, string>();
  for (const key of Object.keys(fields).slice(0, fieldsReadMax)) {
    const value = fields[key];
    if (typeof value !== 'string') continue;
    const kind = kindOf(key);
    if (kind === null || found.has(kind)) continue;
    const text = value.trim();
    if (text !== '') found.set(kind, text);
  }
  return found;
}

function kindOf(key: string): ExtraKind | null {
  if (key.length > keyCharactersMax) return null;
  const known = remembered.get(key);
  if (known !== undefined) return known;
  const kind = kindByKey.get(bare(key)) ?? null;
  if (remembered.size >= rememberedMax) remembered.clear();
  remembered.set(key, kind);
  return kind;
}

function bare(key: string): string {
  return key
    .toLowerCase()
    .normalize('NFD')
    .replace(/[^a-z]/g, '');
}
