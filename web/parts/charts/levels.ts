const levelsMax = 4;

/** The lines of a chart of counts: round whole numbers from 0 to at least `highest`. */
export function levelsOf(highest: number): number[] {
  const least = Math.max(1, highest / levelsMax);
  const power = 10 ** Math.floor(Math.log10(least));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= least) ?? least;
  const count = Math.max(1, Math.ceil(highest / step));
  return Array.from({ length: count + 1 }, (_, level) => level * step);
}
