import { describe, expect, test } from 'vitest';
import {
  type ProfileName,
  runCell,
  type Volume,
  volumes,
  type WeatherName,
} from '../../../simulate/alarms/table.ts';

/** Hours from a cut to the alarm, at the median, by volume. */
const delays: Readonly<Record<WeatherName, Readonly<Record<ProfileName, readonly number[]>>>> = {
  changing: { b2b: [155, 57, 19, 6.5], b2c: [147, 53, 18, 5.8], flat: [151, 52, 19, 3.5] },
  steady: { b2b: [142, 39, 13, 2.9], b2c: [138, 37, 9, 3.8], flat: [142, 38, 9, 1.2] },
};
const factorMax = 1.5;
/** Per source and quarter. */
const falseMax = (volume: Volume) => (volume < 3_000 ? 1 : 2);

const cells = (['changing', 'steady'] as const).flatMap((weather) =>
  (['b2b', 'b2c', 'flat'] as const).flatMap((profile) =>
    volumes.map(
      (volume, place) => [weather, profile, volume, delays[weather][profile][place] as number] as const,
    ),
  ),
);
/** A source with few leads has few occasions to be wrong, and costs little to simulate. */
const runsOf = (volume: Volume) => ({ 10: 4, 50: 4, 300: 12, 3000: 2 })[volume];
const cutsOf = (volume: Volume) => ({ 10: 12, 50: 12, 300: 4, 3000: 60 })[volume];

describe('half a year of made-up leads', () => {
  test.each(cells)('%s days, %s, %i a week: few false alarms, and a cut is noticed in time', (...cell) => {
    const [weather, profile, volume, hours] = cell;
    const result = runCell({ rule: 'usual', weather, profile, volume }, runsOf(volume), cutsOf(volume));
    expect(result.falseAlarms).toBeLessThanOrEqual(falseMax(volume));
    expect(result.medianHours).toBeLessThan(hours * factorMax);
    expect(result.medianHours).toBeGreaterThan(hours / factorMax);
    expect(result.missed).toBe(0);
  });

  test.each(volumes.filter((volume) => volume > 10))(
    'a rule that takes leads for independent would be wrong too often at %i a week',
    (volume) => {
      const cell = { rule: 'plain', weather: 'changing', profile: 'b2b', volume } as const;
      expect(runCell(cell, 2, 0).falseAlarms).toBeGreaterThan(falseMax(volume));
    },
  );
});
