/** Ranges stay relative in the URL, so that a link means "the last hour" whenever it is opened. */
export const ranges = [
  { value: '15m', label: '15 min', ms: 900_000 },
  { value: '1h', label: '1 hour', ms: 3_600_000 },
  { value: '24h', label: '24 hours', ms: 86_400_000 },
  { value: '7d', label: '7 days', ms: 604_800_000 },
  { value: '30d', label: '30 days', ms: 2_592_000_000 },
] as const;

export type RangeName = (typeof ranges)[number]['value'];

export const rangeDefault: RangeName = '24h';

export interface RangeValues {
  readonly range?: RangeName | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** The bounds to send to the API, computed at the time of the request. */
export function limitsOf({ range, from, to }: RangeValues, now: number): { from?: string; to?: string } {
  if (from !== undefined) return to === undefined ? { from } : { from, to };
  const length = ranges.find(({ value }) => value === range)?.ms;
  return length === undefined ? {} : { from: new Date(now - length).toISOString() };
}

export function rangeLabel({ range, from }: RangeValues): string {
  if (from !== undefined) return 'the selected time';
  return `the last ${ranges.find(({ value }) => value === (range ?? rangeDefault))?.label ?? range}`;
}
