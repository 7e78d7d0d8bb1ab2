import { RepeatMemory } from '../../../src/domain/score/repeat-memory.ts';
import type { Scorer } from '../../../src/domain/score/scorer.ts';
import { compileScoring } from '../../../src/domain/score/settings/compile.ts';
import { defaultScoringSettings } from '../../../src/domain/score/settings/settings.ts';
import { businessMessages } from '../samples.ts';

const floodSize = 500;
const senders = 500;

/** Honeypots and floods, which only the settings of a form and the memory of earlier leads can reveal. */
export function evaluateFloods(scorer: Scorer): string[] {
  const form = compileScoring({ ...defaultScoringSettings, honeypot: ['fax'] }, [], 1);
  const message = businessMessages[0] as string;
  const lead = (number: number, text: string, fax = '') => ({
    name: `Ada Lovelace`,
    email: `ada${number}@engines.example.com`,
    message: text,
    fax,
  });
  const spamShare = (make: (number: number) => ReturnType<typeof lead>, count: number) => {
    const memory = new RepeatMemory();
    let spam = 0;
    for (let number = 0; number < count; number++) {
      const now = number * 100;
      const see = (print: Parameters<RepeatMemory['see']>[1]) => memory.see('form', print, now);
      if (scorer.score(make(number), form, { now, see }).verdict === 'spam') spam++;
    }
    return `spam ${((spam / count) * 100).toFixed(2)} % of ${count}`;
  };
  const long = `${message} ${businessMessages[1]} ${businessMessages[2]}`;
  return [
    `       honeypot filled: ${spamShare((number) => lead(number, businessMessages[number % 20] as string, 'x'), senders)}`,
    `       the same lead repeated: ${spamShare(() => lead(1, message), floodSize)}`,
    `       the same long message from other addresses: ${spamShare((number) => lead(number, `${long} ${number}`), floodSize)}`,
  ];
}
