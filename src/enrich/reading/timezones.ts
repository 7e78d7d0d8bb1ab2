const charactersMax = 60;
// An exclave whose clocks show what those of its country show.
const sameClock = new Set(['Europe/Busingen']);
const remembered = new Map<string, string | null>();

/** The usual spelling of a time zone, such as Europe/Berlin; null for what is none, or only an offset. */
export function timezoneName(text: string | undefined): string | null {
  if (text === undefined || text.length > charactersMax || !/^[A-Za-z]/.test(text)) return null;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
}

/** Most countries have one time zone; for the others a country says nothing about it. */
export function onlyTimezoneOf(country: string): string | null {
  const known = remembered.get(country);
  if (known !== undefined) return known;
  // Newer than the types of the language.
  const locale = new Intl.Locale(`und-${country}`) as Intl.Locale & { getTimeZones?(): string[] | undefined };
  const zones = (locale.getTimeZones?.() ?? []).filter((zone) => !sameClock.has(zone));
  const only = zones.length === 1 ? (zones[0] ?? null) : null;
  remembered.set(country, only);
  return only;
}
