const weekHours = 168;

/** When leads come, by the hour of the week from Monday 00:00: what share of a week's leads. */
export type Profile = readonly number[];

/** Offices: eight to six with a lunch break, a little in the evening, next to nothing at night, a tenth at weekends. */
const office = [
  ...[0.5, 0.3, 0.3, 0.3, 0.3, 0.5, 1, 2.5, 6, 9, 10, 9],
  ...[6, 8, 9.5, 9, 8, 5.5, 3.5, 2.5, 2, 1.6, 1.2, 0.8],
];

/** Homes: little during the day, a small peak at noon, most in the evening. */
const home = [
  ...[1, 0.4, 0.2, 0.12, 0.12, 0.15, 0.25, 0.4, 0.6, 0.8, 0.9, 1],
  ...[1.5, 1.2, 0.9, 1, 1.6, 3.5, 7, 10, 12, 11, 7, 3],
];

export const profiles: Readonly<Record<'b2b' | 'b2c' | 'flat', Profile>> = {
  b2b: week(office, [1.05, 1.1, 1.1, 1.05, 0.85, 0.12, 0.15]),
  b2c: week(home, [1, 0.95, 0.95, 0.95, 0.9, 1.1, 1.25]),
  flat: week(
    Array.from({ length: 24 }, () => 1),
    [1, 1, 1, 1, 1, 1, 1],
  ),
};

function week(hours: readonly number[], days: readonly number[]): Profile {
  const weights = days.flatMap((day) => hours.map((hour) => day * hour));
  const sum = weights.reduce((a, b) => a + b, 0);
  if (weights.length !== weekHours) throw new Error('a week has 168 hours');
  return weights.map((weight) => weight / sum);
}
