import { normalCountry } from '../settings/list-entries.ts';

const languages = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl'];
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const nameCharactersMax = 40;
let codesByName: ReadonlyMap<string, string> | null = null;

/** The two-letter code of a country, given as a code or by its name in one of a few languages; otherwise null. */
export function countryOf(text: string): string | null {
  if (text.length === 2) return normalCountry(text);
  if (text === '' || text.length > nameCharactersMax) return null;
  codesByName ??= namesOfCountries();
  return codesByName.get(text.toLowerCase()) ?? null;
}

/** Built when a form first needs countries; most never do. */
function namesOfCountries(): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const language of languages) {
    const shown = new Intl.DisplayNames(language, { type: 'region', fallback: 'none' });
    for (const first of letters) {
      for (const second of letters) {
        const name = shown.of(`${first}${second}`);
        if (name !== undefined)
          names.set(name.toLowerCase(), normalCountry(`${first}${second}`) ?? `${first}${second}`);
      }
    }
  }
  return names;
}
