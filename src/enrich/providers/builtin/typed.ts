import { providerVersions } from '../../../domain/enrichment/provider-versions.ts';
import type { BuiltinProvider, FieldValue } from '../provider.ts';

/** What the person typed, word for word. It takes precedence over everything else. */
export const typed: BuiltinProvider = {
  id: 'typed',
  version: providerVersions.typed,
  phase: 'builtin',
  text: 'Company, website, job title, country, language and time zone as the person typed them.',
  enrich({ company, website, country, extras }) {
    const fields: FieldValue[] = [];
    const say = (path: string, value: string | null | undefined) => {
      if (value != null) fields.push({ path, value, confidence: 1, method: 'submitted' });
    };
    say('company.name', company);
    say('company.website', website?.href);
    say('person.title', extras.get('title'));
    if (country !== null)
      fields.push({ path: 'person.country', value: country, confidence: 1, method: 'normalised' });
    const language = languageTag(extras.get('language'));
    if (language !== null)
      fields.push({ path: 'person.language', value: language, confidence: 1, method: 'normalised' });
    const timezone = timezoneName(extras.get('timezone'));
    if (timezone !== null)
      fields.push({ path: 'person.timezone', value: timezone, confidence: 1, method: 'normalised' });
    return fields;
  },
};

/** `de_at` becomes de-AT. A value that is not a tag, such as "German", is left alone. */
function languageTag(text: string | undefined): string | null {
  const [, language, region] = /^([a-z]{2})(?:[-_]([a-z]{2}))?$/i.exec(text ?? '') ?? [];
  if (language === undefined) return null;
  return region === undefined ? language.toLowerCase() : `${language.toLowerCase()}-${region.toUpperCase()}`;
}

const timezoneCharactersMax = 60;

/** The canonical spelling of a time zone, such as Europe/Berlin; null for anything else, including offsets. */
function timezoneName(text: string | undefined): string | null {
  if (text === undefined || text.length > timezoneCharactersMax || !/^[A-Za-z]/.test(text)) return null;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
}
