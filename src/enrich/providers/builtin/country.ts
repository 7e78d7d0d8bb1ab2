import { providerVersions } from '../../../domain/enrichment/provider-versions.ts';
import { countryOf, countryOfDomain } from '../../reading/countries.ts';
import type { Input } from '../../reading/input.ts';
import type { BuiltinProvider, FieldValue } from '../provider.ts';

const confidenceMax = 0.9;

/**
 * Every hint at a country has a vote. Agreeing hints strengthen each other as if independent; disagreeing ones weaken
 * the winner.
 */
export const country: BuiltinProvider = {
  id: 'country',
  version: providerVersions.country,
  phase: 'builtin',
  text: 'Country of the person, by a vote of phone number, domain ending and language, and its time zone if it has only one.',
  enrich(input) {
    const votes = votesOf(input);
    const ofDomain = input.domain === null ? null : countryOfDomain(input.domain);
    const company =
      ofDomain === null
        ? []
        : [{ path: 'company.country', value: ofDomain, confidence: 0.5, method: 'guess' as const }];
    const winner = elect(votes);
    const elected: FieldValue[] =
      winner === null ? [] : [{ path: 'person.country', ...winner, method: 'derived' }];
    return [...elected, ...timezone(input.country, winner), ...company];
  },
};

/** What the person typed takes precedence over the vote. */
function timezone(typed: string | null, winner: ReturnType<typeof elect>): FieldValue[] {
  const country = typed ?? winner?.value;
  const zone = country === undefined ? null : onlyTimezoneOf(country);
  if (zone === null) return [];
  const confidence = typed === null ? (winner?.confidence ?? 0) : confidenceMax;
  return [{ path: 'person.timezone', value: zone, confidence, method: 'derived' }];
}

function votesOf(input: Input): [string | null | undefined, number][] {
  // A national number was parsed with one of the other votes' countries, so it adds nothing.
  const number = input.phone?.isInternational ? input.phone.number : null;
  const region = /^[a-z]{2}[-_]([a-z]{2})\b/i.exec(input.extras.get('language') ?? '')?.[1];
  const addressEnding = input.email === null ? null : countryOfDomain(input.email.domain);
  return [
    [number?.country, 0.6],
    [addressEnding ?? (input.domain === null ? null : countryOfDomain(input.domain)), 0.5],
    [countryOf(region), 0.3],
  ];
}

function elect(votes: [string | null | undefined, number][]): { value: string; confidence: number } | null {
  const doubt = new Map<string, number>();
  for (const [code, weight] of votes) {
    if (code) doubt.set(code, (doubt.get(code) ?? 1) * (1 - weight));
  }
  const ranked = [...doubt].sort((a, b) => a[1] - b[1]);
  const winner = ranked[0];
  if (winner === undefined) return null;
  const against = ranked.slice(1).reduce((product, [, left]) => product * left, 1);
  const confidence = Math.min(confidenceMax, (1 - winner[1]) * against);
  return { value: winner[0], confidence: Math.round(confidence * 100) / 100 };
}

// An exclave with the same time as the rest of its country.
const sameClock = new Set(['Europe/Busingen']);
const onlyTimezones = new Map<string, string | null>();

/** Most countries have one time zone; for the others, the country does not determine it. */
function onlyTimezoneOf(country: string): string | null {
  const known = onlyTimezones.get(country);
  if (known !== undefined) return known;
  // Newer than the TypeScript types.
  const locale = new Intl.Locale(`und-${country}`) as Intl.Locale & { getTimeZones?(): string[] | undefined };
  const zones = (locale.getTimeZones?.() ?? []).filter((zone) => !sameClock.has(zone));
  const only = zones.length === 1 ? (zones[0] ?? null) : null;
  onlyTimezones.set(country, only);
  return only;
}
