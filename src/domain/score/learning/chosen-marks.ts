import type { Mark } from '../../lead/mark.ts';

/** The latest mark of a lead. */
export interface LeadMark {
  readonly submissionId: string;
  readonly mark: Mark;
  /** In milliseconds since 1970. */
  readonly markedAt: number;
  readonly person: string;
}

export const learnedLeadsMax = 2_000;
export const leadsPerPersonAndDayMax = 100;
const dayMs = 86_400_000;

/**
 * The marks to learn from: of each person no more than so many a day, and of all people in turn, newest first. However many
 * leads one person marks, those that others have marked stay among them.
 */
export function chooseMarks(marks: readonly LeadMark[], leadsMax = learnedLeadsMax): LeadMark[] {
  const people = [...Map.groupBy(marks, ({ person }) => person)]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, own]) => withinDays(own));
  const chosen: LeadMark[] = [];
  for (let turn = 0; people.some((own) => turn < own.length); turn++) {
    for (const own of people) {
      const mark = own[turn];
      if (mark === undefined) continue;
      if (chosen.length >= leadsMax) return chosen;
      chosen.push(mark);
    }
  }
  return chosen;
}

/** Newest first. The first ones of a day count. */
function withinDays(own: readonly LeadMark[]): LeadMark[] {
  const perDay = new Map<number, number>();
  return own
    .toSorted((a, b) => a.markedAt - b.markedAt)
    .filter(({ markedAt }) => {
      const day = Math.floor(markedAt / dayMs);
      const count = (perDay.get(day) ?? 0) + 1;
      perDay.set(day, count);
      return count <= leadsPerPersonAndDayMax;
    })
    .reverse();
}
