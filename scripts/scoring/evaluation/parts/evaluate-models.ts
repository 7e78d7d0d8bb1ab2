import type { ScoringData } from '../../../../src/domain/score/data.ts';
import { addSpelling, isBelow } from '../../../../src/domain/score/models/trigrams.ts';
import { classifyDomain } from '../../../../src/domain/score/reading/email.ts';
import { partOf, type TuningData } from '../../tuning-data.ts';

/** Each list and model on its own; for email domains see evaluate-domains.ts. */
export function evaluateModels(
  data: TuningData,
  { trigrams, meantProvider, disposable }: ScoringData,
): string[] {
  const unseen = (lines: readonly string[]) => lines.filter((line) => partOf(line) === 'held_back');
  const isListed = (domain: string) => classifyDomain(domain, disposable) === 'disposable';
  const isRandom = (word: string) => {
    const spelling = { sum: 0, letters: 0 };
    addSpelling(trigrams, word, 0, word.length, spelling);
    return isBelow(trigrams.gibberish, spelling);
  };
  const names = unseen([...data.firstNames, ...data.surnames]).filter((name) => name.length >= 5);
  const random = data.gibberish.filter((word) => /^[a-z]{5,}$/.test(word));
  return [
    line('list: legitimate domains hit', data.legitimateDomains, isListed, 0, false),
    line(
      'typos: legitimate domains hit',
      data.legitimateDomains,
      (domain) => meantProvider(domain) !== null,
      0,
      false,
    ),
    line('gibberish: names hit', names, isRandom, 0.005, false),
    line('gibberish: random strings found', random, isRandom, 0.9, true),
  ];
}

function line(
  title: string,
  items: readonly string[],
  isHit: (item: string) => boolean,
  target: number,
  isFloor: boolean,
): string {
  const share = items.filter(isHit).length / items.length;
  const isMet = isFloor ? share >= target : share <= target;
  return `${isMet ? 'met   ' : 'MISSED'} ${title.padEnd(52)} ${(share * 100).toFixed(2)} % of ${items.length}`;
}
