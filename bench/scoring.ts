import { loadScoringData } from '../src/domain/score/data.ts';
import { wordHash } from '../src/domain/score/reading/word-hash.ts';
import { RepeatMemory } from '../src/domain/score/repeat-memory.ts';
import { createScorer } from '../src/domain/score/scorer.ts';
import { type CompiledScoring, compileScoring } from '../src/domain/score/settings/compile.ts';
import { defaultScoringSettings } from '../src/domain/score/settings/settings.ts';
import { leadBody } from './load/lead.ts';

/** The cost of a score in microseconds, for ordinary leads, leads of 1 KB, and the worst that fits in a body. */
const loadStart = performance.now();
const data = loadScoringData();
const scorer = createScorer(data);
const loadMs = performance.now() - loadStart;
const form = compileScoring(defaultScoringSettings, [], 0);
const bodyBytesMax = 131_072;
const warmUpMs = 500;
const measuredMs = 700;
const sampleMax = 200_000;
/** A lead comes again only when it counts as new. */
const leadPauseMs = 20_000;

const sentences =
  'We are looking for a partner for our warehouse in Leeds and would like to know what the service costs per month. ';
const oneKilobyte = (number: number) => ({
  ...JSON.parse(leadBody(number)),
  message: `${sentences.repeat(6)} Reference ${number}.`.slice(0, 720),
});

/** A model of the largest size, which knows every word of the sentences. */
const learnedForm = compileScoring(defaultScoringSettings, [], 0, {
  number: 1,
  model: {
    words: [
      ...new Set(sentences.toLowerCase().match(/[a-z]+/g)),
      ...Array.from({ length: 490 }, (_, n) => `x${n}`),
    ]
      .slice(0, 512)
      .flatMap((word, n) => [wordHash(word), n % 2 === 0 ? 150 : -120]),
    domains: [],
  },
});

const cases: Readonly<Record<string, (number: number) => Record<string, unknown>>> = {
  'ordinary, 8 fields, 300 bytes': (number) => JSON.parse(leadBody(number)),
  'address only': (number) => ({ email: `ada${number}@engines.io` }),
  '1 KB': oneKilobyte,
  '1 KB, form that has learned': oneKilobyte,
  '1 KB, Cyrillic': (number) => ({
    name: `Иван ${number}`,
    email: 'ivan@engines.io',
    message: 'Здравствуйте, сколько стоит доставка? '.repeat(14),
  }),
  '1 KB, spam': (number) => ({
    name: 'Masonfug',
    email: `x${number}@mailinator.com`,
    phone: '+1 202 555 0143',
    message: 'Buy backlinks http://a.example.xyz and rank on the first page of google. '.repeat(12),
  }),
  'hostile: one field of 128 KB': () => ({ message: 'we offer your '.repeat(9_300) }),
  'hostile: 10,000 keys': () =>
    Object.fromEntries(Array.from({ length: 10_000 }, (_, key) => [`k${key}`, 'a'])),
  'hostile: nested 60 deep, 64 wide': () =>
    JSON.parse(
      `${'{"a":'.repeat(58)}{${Array.from({ length: 2_000 }, (_, key) => `"k${key}":"http://x.example/${key}"`)}}${'}'.repeat(58)}`,
    ),
  'hostile: links only': () => ({
    message: 'http://x.example.top/a?b '.repeat(5_000),
    name: 'www.x.example '.repeat(100),
  }),
  'hostile: dots and brackets': () => ({
    message: '{a|b.{<a ['.repeat(6_500),
    email: `a${'.a'.repeat(30_000)}@b`,
  }),
  'hostile: images without end': () =>
    Object.fromEntries(Array.from({ length: 4 }, (_, key) => [`message_${key}`, '<img '.repeat(400)])),
  'hostile: emoji and right-to-left': () => ({ message: '👩‍👩‍👧‍👦\u202eمرحبا Hеllо '.repeat(3_000) }),
  'hostile: 60 messages of 2 KB': () =>
    Object.fromEntries(
      Array.from({ length: 60 }, (_, key) => [`message_${key}`, 'free casino bonus click here '.repeat(70)]),
    ),
};

print(`Lists and models loaded in ${loadMs.toFixed(1)} ms.\n`);
print(`${''.padEnd(36)}${['p50', 'p99', 'max'].map((title) => title.padStart(9)).join('')}  µs\n`);
for (const [title, make] of Object.entries(cases)) {
  // Parsed from JSON, so that strings are flat as on the ingest path.
  const leads = Array.from({ length: title.startsWith('hostile') ? 4 : 2_000 }, (_, number) =>
    JSON.parse(JSON.stringify(make(number))),
  );
  if (JSON.stringify(leads[0]).length > bodyBytesMax * 1.1)
    throw new Error(`${title} does not fit in a body.`);
  const [p50, p99, max] = measure(leads, title.endsWith('has learned') ? learnedForm : form);
  print(`${title.padEnd(36)}${[p50, p99, max].map((time) => (time ?? 0).toFixed(1).padStart(9)).join('')}\n`);
}

/** Remembers recent leads, as on the ingest path. */
function measure(leads: readonly Record<string, unknown>[], form: CompiledScoring): number[] {
  const repeats = new RepeatMemory();
  const times: number[] = [];
  const run = (until: number, keep: boolean) => {
    for (let round = 0; performance.now() < until && times.length < sampleMax; round++) {
      const lead = leads[round % leads.length] as Record<string, unknown>;
      const now = round * leadPauseMs;
      const start = process.hrtime.bigint();
      scorer.score(lead, form, { now, see: (print) => repeats.see('form', print, now) });
      if (keep) times.push(Number(process.hrtime.bigint() - start) / 1_000);
    }
  };
  run(performance.now() + warmUpMs, false);
  run(performance.now() + measuredMs, true);
  times.sort((a, b) => a - b);
  return [0.5, 0.99, 1].map(
    (share) => times[Math.min(times.length - 1, Math.floor(share * times.length))] ?? 0,
  );
}

function print(text: string): void {
  process.stdout.write(text);
}
