import { normalCountry } from '../settings/list-entries.ts';

const languages = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl'];
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const nameCharactersMax = 40;
let codesByName: ReadonlyMap<string, string> | null = null;

/** Two letters, for a code or a name in one of a few languages; null for what is no country. */
export function countryOf(text: string): string | null {
  if (text.length === 2) return normalCountry(text);
  if (text === '' || text.length > nameCharactersMax) return null;
  codesByName ??= namesOfCountries();
  return codesByName.get(text.toLowerCase()) ?? null;
}

/** Made when a form first asks for countries; most never do. */
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
