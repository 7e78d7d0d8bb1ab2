const languages = ['en', 'de', 'fr', 'es'];
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
// Common names that are in no list.
const usual: Record<string, string> = {
  usa: 'US',
  'united states of america': 'US',
  america: 'US',
  uk: 'GB',
  'great britain': 'GB',
  england: 'GB',
  scotland: 'GB',
  wales: 'GB',
  holland: 'NL',
  'czech republic': 'CZ',
  turkey: 'TR',
  uae: 'AE',
  'south korea': 'KR',
  russia: 'RU',
  brd: 'DE',
};

const charactersMax = 60;

/** The two-letter code of a country, given as a code or by its name in English, German, French or Spanish. */
export function countryOf(text: string | undefined): string | null {
  if (text === undefined || text.length > charactersMax) return null;
  return codeByName.get(plain(text)) ?? null;
}

// Country endings that anyone can register.
const soldToAll = new Set(
  `ac ag ai am as bz cc co cx dj fm gg gl gs io is la li ly me ms mu nu pw sc sh so st su tk to tv vc vg ws`.split(
    ' ',
  ),
);

/** The country of a domain's ending, if the ending says anything. */
export function countryOfDomain(domain: string): string | null {
  const ending = domain.slice(domain.lastIndexOf('.') + 1);
  if (ending.length !== 2 || soldToAll.has(ending)) return null;
  return ending === 'uk' ? 'GB' : countryOf(ending);
}

/** Node knows the names of all regions. The table is inverted at start, when nobody is waiting. */
function readNames(): Map<string, string> {
  const byName = new Map<string, string>();
  const known = [...codes()];
  for (const language of languages) {
    const display = new Intl.DisplayNames(language, { type: 'region', fallback: 'none' });
    for (const code of known) {
      const name = display.of(code);
      if (name !== undefined) byName.set(plain(name), code);
    }
  }
  for (const code of new Set(byName.values())) byName.set(code.toLowerCase(), code);
  for (const [name, code] of Object.entries(usual)) byName.set(name, code);
  return byName;
}

// Regions that Node has names for but that are not countries: Europe, the United Nations, unknown.
const noCountries = new Set(['EU', 'EZ', 'UN', 'ZZ', 'XA', 'XB', 'QO']);

const english = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });

/** A country that no longer exists, such as SU, has the name of its successor. */
function isCurrent(code: string): boolean {
  if (noCountries.has(code) || english.of(code) === undefined) return false;
  return new Intl.Locale(`und-${code}`).region === code;
}

function* codes(): Generator<string> {
  for (const first of letters) {
    for (const second of letters) if (isCurrent(first + second)) yield first + second;
  }
}

function plain(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{M}|\./gu, '')
    .replace(/\s+/g, ' ');
}

const codeByName = readNames();
