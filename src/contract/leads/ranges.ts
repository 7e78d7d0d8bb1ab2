/** Times before now, by the names that saved views use. */
export const relativeRanges = {
  '15m': 900_000,
  '1h': 3_600_000,
  '24h': 86_400_000,
  '7d': 604_800_000,
  '30d': 2_592_000_000,
} as const;

export type RelativeRange = keyof typeof relativeRanges;
