import type { LeadFields } from '../../../../src/domain/lead/lead.ts';
import type { Scorer } from '../../../../src/domain/score/scorer.ts';
import { compileScoring } from '../../../../src/domain/score/settings/compile.ts';
import { defaultScoringSettings } from '../../../../src/domain/score/settings/settings.ts';
import { nameLead } from '../../names/name-leads.ts';
import { type NameList, readNameLists } from '../../names/name-lists.ts';
import { partOf, randomNumbers } from '../../tuning-data.ts';

const leadsPerCountry = 1_000;
const botLeads = 3_000;
const suspectMax = 0.02;
const foundMin = 0.98;
const form = compileScoring(defaultScoringSettings, [], 0);

/** People of each country, and bots and testers with random or mashed words. Names that were not trained on. */
export function evaluateNames(scorer: Scorer): string[] {
  const random = randomNumbers(23);
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;
  const lists = readNameLists().map(unseen);
  const rows = lists.map(({ country, first, last }) => {
    const leads = Array.from({ length: leadsPerCountry }, () =>
      nameLead(pick(first), pick(last), random, pick),
    );
    return { title: `names: ${country}`, names: first.length + last.length, ...verdictsOf(scorer, leads) };
  });
  const person = () => {
    const { first, last } = pick(lists);
    return String(nameLead(pick(first), pick(last), random, pick).email);
  };
  const bots = Object.entries(wordMakers(random, pick)).map(([title, word]) => {
    const leads = Array.from({ length: botLeads }, () => ({
      name: word(),
      email: person(),
      message: word(),
    }));
    return { title: `bad: ${title}`, ...verdictsOf(scorer, leads) };
  });
  return [
    ...rows
      .toSorted((a, b) => b.suspect - a.suspect || b.names - a.names)
      .map((row) => line(row, row.suspect <= suspectMax * row.count, `, ${row.names} names`)),
    ...bots.map((row) => line(row, row.suspect >= foundMin * row.count, '')),
  ];
}

function unseen({ country, first, last }: NameList): NameList {
  const heldBack = (names: readonly string[]) => names.filter((name) => partOf(name) === 'held_back');
  return { country, first: heldBack(first), last: heldBack(last) };
}

interface Verdicts {
  readonly count: number;
  readonly suspect: number;
  readonly spam: number;
}

function verdictsOf(scorer: Scorer, leads: readonly LeadFields[]): Verdicts {
  const verdicts = leads.map((lead) => scorer.score(lead, form, { now: 0 }).verdict);
  return {
    count: leads.length,
    suspect: verdicts.filter((verdict) => verdict !== 'clean').length,
    spam: verdicts.filter((verdict) => verdict === 'spam').length,
  };
}

function line(
  { title, count, suspect, spam }: Verdicts & { title: string },
  isMet: boolean,
  more: string,
): string {
  const [low, high] = wilson(suspect, count);
  const share = `${percent(suspect / count)} (${percent(low)} to ${percent(high)})`;
  return `${isMet ? 'met   ' : 'MISSED'} ${title.padEnd(44)} suspect or worse ${share}, spam ${spam} of ${count}${more}`;
}

/** The 95 % interval of a share. The leads of a country share few names, so its true interval is wider. */
function wilson(hits: number, count: number): readonly [number, number] {
  const z = 1.96;
  const share = hits / count;
  const middle = share + z ** 2 / (2 * count);
  const half = z * Math.sqrt((share * (1 - share)) / count + z ** 2 / (4 * count ** 2));
  const whole = 1 + z ** 2 / count;
  return [Math.max(0, (middle - half) / whole), Math.min(1, (middle + half) / whole)];
}

function percent(share: number): string {
  return `${(share * 100).toFixed(2)} %`;
}

const keyboards: Readonly<Record<string, readonly string[]>> = {
  QWERTY: ['qwertyuiop', 'asdfghjkl', 'zxcvbnm'],
  QWERTZ: ['qwertzuiopü', 'asdfghjklöä', 'yxcvbnm'],
  AZERTY: ['azertyuiop', 'qsdfghjklm', 'wxcvbn'],
  Cyrillic: ['йцукенгшщзхъ', 'фывапролджэ', 'ячсмитьбю'],
};

/** One word per field, as bots and testers make it. */
function wordMakers(random: () => number, pick: <Item>(items: readonly Item[]) => Item) {
  const between = (from: number, to: number) => from + Math.floor(random() * (to - from + 1));
  const letters = (alphabet: string, count: number) =>
    Array.from({ length: count }, () => pick([...alphabet])).join('');
  const makers: Record<string, () => string> = {
    'one random word of 5 to 8 letters each': () => letters('abcdefghijklmnopqrstuvwxyz', between(5, 8)),
  };
  for (const [layout, rows] of Object.entries(keyboards)) {
    makers[`keys in a row, ${layout}`] = () => {
      const row = pick(rows);
      const start = between(0, row.length - 5);
      const run = row.slice(start, start + between(4, 6));
      return random() < 0.25 ? [...run].toReversed().join('') : random() < 0.3 ? run + run : run;
    };
    makers[`keys under one hand, ${layout}`] = () => {
      const home = rows[1] as string;
      return letters(random() < 0.5 ? home.slice(0, 5) : home.slice(4, 9), between(5, 12));
    };
    makers[`few keys repeated, ${layout}`] = () => {
      const row = random() < 0.7 ? (rows[1] as string) : (rows[0] as string);
      const start = between(0, row.length - 3);
      return row.slice(start, start + between(2, 3)).repeat(between(2, 4));
    };
  }
  return makers;
}
