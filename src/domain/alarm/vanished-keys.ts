export interface KeysOfLead {
  readonly receivedAt: Date;
  readonly keys: readonly string[];
}

/** A key that nearly all leads had, until none had it. */
export interface VanishedKey {
  readonly key: string;
  /** Of the leads before. */
  readonly hadPercent: number;
  /** How many leads before were looked at. */
  readonly leads: number;
  /** How many of the newest leads do not have it. */
  readonly missingIn: number;
}

export const vanishing = {
  /** Without the key, at least. */
  newestMin: 10,
  newestMax: 200,
  /** How much of a usual day's leads must be without the key. */
  dayPart: 0.05,
  /** Before those. */
  beforeMax: 200,
  beforeMin: 50,
  hadPercentMin: 95,
  keyCharactersMax: 80,
  /** What has been so for that long is the new normal. */
  newNormalMs: 7 * 24 * 60 * 60 * 1000,
} as const;

/** How many of the newest leads must be without a key. */
export function newestCount(leadsPerDay: number): number {
  const { newestMin, newestMax, dayPart } = vanishing;
  return Math.min(newestMax, Math.max(newestMin, Math.ceil(dayPart * leadsPerDay)));
}

/**
 * The leads are sorted from the newest to the oldest. The leads before are those before the first one without the key, not
 * before the newest `newest` ones: otherwise a key that is missing in many leads between two looks would never be found.
 */
export function vanishedKeys(leads: readonly KeysOfLead[], newest: number, now: Date): VanishedKey[] {
  return [...lastPlaces(leads)]
    .filter(([key, missingIn]) => isLooked(key) && missingIn >= newest && isNew(leads, missingIn, now))
    .flatMap(([key, missingIn]) => {
      const before = leads.slice(missingIn, missingIn + vanishing.beforeMax);
      const had = before.filter(({ keys }) => keys.includes(key)).length;
      const hadPercent = Math.floor((1000 * had) / before.length) / 10;
      const isVanished = before.length >= vanishing.beforeMin && hadPercent >= vanishing.hadPercentMin;
      return isVanished ? [{ key, hadPercent, leads: before.length, missingIn }] : [];
    })
    .toSorted((a, b) => b.hadPercent - a.hadPercent || (a.key < b.key ? -1 : 1));
}

/** The newest lead with each key. */
export function lastPlaces(leads: readonly KeysOfLead[]): Map<string, number> {
  const places = new Map<string, number>();
  for (const [place, { keys }] of leads.entries())
    for (const key of keys) if (!places.has(key)) places.set(key, place);
  return places;
}

function isLooked(key: string): boolean {
  return key.length <= vanishing.keyCharactersMax;
}

/** By the tenth lead without it: an alarm was raised later, so one that ended after a week is not raised again. */
function isNew(leads: readonly KeysOfLead[], missingIn: number, now: Date): boolean {
  const tenth = leads[missingIn - vanishing.newestMin];
  return tenth !== undefined && now.getTime() - tenth.receivedAt.getTime() <= vanishing.newNormalMs;
}
