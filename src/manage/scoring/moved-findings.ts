import type { Score, ScoreReason } from '../../domain/score/score.ts';

/** A finding that has other points under a draft; null where it is not found at all. */
export interface MovedFinding {
  readonly code: string;
  readonly axis: 'risk' | 'score';
  readonly text: string;
  readonly from: number | null;
  readonly to: number | null;
}

type Scored = Pick<Score, 'verdict' | 'reasons' | 'merits'>;

/** What differs between two scores of a lead, the largest difference first. */
export function movedFindings(from: Scored, to: Scored): MovedFinding[] {
  const risk = moved('risk', from.reasons, to.reasons);
  // Spam has no merits, so all of them would differ.
  const isComparable = from.verdict !== 'spam' && to.verdict !== 'spam';
  const score = isComparable ? moved('score', from.merits, to.merits) : [];
  return [...risk, ...score].toSorted((a, b) => distance(b) - distance(a));
}

function moved(
  axis: MovedFinding['axis'],
  before: readonly ScoreReason[],
  after: readonly ScoreReason[],
): MovedFinding[] {
  const [from, to] = [pointsByCode(before), pointsByCode(after)];
  // Where both have it, its text after the change.
  const texts = new Map([...before, ...after].map(({ code, text }) => [code, text]));
  return [...texts]
    .map(([code, text]) => ({ code, axis, text, from: from.get(code) ?? null, to: to.get(code) ?? null }))
    .filter((finding) => finding.from !== finding.to);
}

/** A rule can find something in several fields. */
function pointsByCode(reasons: readonly ScoreReason[]): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const { code, points } of reasons) sums.set(code, (sums.get(code) ?? 0) + points);
  return sums;
}

function distance({ from, to }: MovedFinding): number {
  return Math.abs((to ?? 0) - (from ?? 0));
}
