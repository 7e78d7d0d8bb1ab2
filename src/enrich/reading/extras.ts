import type { LeadFields } from '../../domain/lead/lead.ts';
import { ParsedMembers, parsedText, textFinder } from '../../domain/lead/spelled-texts.ts';

/** Fields that only enrichment reads. Those that the scorer reads too are in domain/score/reading/fields.ts. */
export type ExtraKind =
  | 'first_name'
  | 'last_name'
  | 'title'
  | 'country'
  | 'website'
  | 'language'
  | 'timezone';

const findTexts = textFinder<ExtraKind>({
  first_name: 'firstname givenname forename vorname prenom nombre fname',
  last_name: 'lastname familyname surname nachname nomdefamille apellido apellidos lname',
  title:
    'title jobtitle job position role jobrole yourrole beruf funktion jobbezeichnung stellenbezeichnung poste fonction puesto cargo',
  country: 'country countrycode land pays pais yourcountry',
  website: 'website url site homepage webseite siteweb sitioweb companywebsite web companyurl',
  language: 'language lang locale sprache langue idioma',
  timezone: 'timezone tz zeitzone fuseauhoraire zonahoraria',
});

/** The first filled value of each kind. */
export function recogniseExtras(fields: LeadFields): Map<ExtraKind, string> {
  const found = new Map<ExtraKind, string>();
  findTexts(found, new ParsedMembers(fields), parsedText);
  return found;
}
