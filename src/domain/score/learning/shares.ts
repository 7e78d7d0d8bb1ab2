/** What one person can say alone counts as much as this many leads. */
const leadsAlone = 10;
/** Beyond that, one person is at most this part of everything. */
const personShare = 0.4;

/**
 * How much each lead of a person counts. `people` has the person of each lead. All leads count alike, unless one person has
 * marked more than 40 % of them, and more than ten: then theirs count less, so that they are no more than that.
 */
export function shareOut(people: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const person of people) counts.set(person, (counts.get(person) ?? 0) + 1);
  const limit = limitOf([...counts.values()]);
  return new Map([...counts].map(([person, count]) => [person, Math.min(1, limit / count)]));
}

/** The largest limit that is 40 % of what is left under it. Each round comes closer to it. */
function limitOf(counts: readonly number[]): number {
  let limit = Math.max(leadsAlone, ...counts);
  for (let round = 0; round < 100; round++) {
    const sum = counts.reduce((total, count) => total + Math.min(count, limit), 0);
    const next = Math.max(leadsAlone, personShare * sum);
    if (next >= limit) break;
    limit = next;
  }
  return limit;
}
