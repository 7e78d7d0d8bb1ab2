import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { hostileBodies } from '../../../chaos/hostile/bodies.ts';
import { isHeavy, shapeOf } from '../../domain/lead/body-shape.ts';
import { parseLead } from '../../domain/lead/lead.ts';
import { loadScoringData } from '../../domain/score/data.ts';
import { RepeatMemory } from '../../domain/score/repeat-memory.ts';
import { createScorer } from '../../domain/score/scorer.ts';
import { type CompiledScoring, compileScoring } from '../../domain/score/settings/compile.ts';
import { defaultScoringSettings } from '../../domain/score/settings/settings.ts';
import { systemClock } from '../../time/real-clock.ts';
import type { Keyed } from '../parse.ts';
import { HeavyLeads, type HeavyResult } from './heavy-leads.ts';

const now = 1_700_000_000_000;
const scorer = createScorer(loadScoringData());
const plain = compileScoring(defaultScoringSettings, [], 0);
const strict = compileScoring(
  {
    ...defaultScoringSettings,
    honeypot: ['trap'],
    block: { ...defaultScoringSettings.block, keywords: [{ text: 'casino', points: 40 }] },
    fieldMap: { k1: 'message' },
  },
  [{ key: 'name', label: 'Name', required: true }],
  3,
);

let heavy: HeavyLeads;
beforeAll(() => {
  heavy = newHeavyLeads();
});
afterAll(() => heavy.stop());

function newHeavyLeads(options: { repeats?: RepeatMemory; workerFile?: URL } = {}): HeavyLeads {
  const meter = { onHeavy() {}, onThreadDied() {} };
  const { repeats = new RepeatMemory(), ...rest } = options;
  return new HeavyLeads({ clock: systemClock, repeats, log: pino({ level: 'silent' }), meter, ...rest });
}

let forms = 0;
/** The parts of a request that matter here. Each has its own form, so that leads do not look like repeats. */
function keyed(body: Buffer, scoring: CompiledScoring = plain, workspace = 'w', form = `f${forms++}`): Keyed {
  const received = { body, arrival: { at: now } };
  return {
    sender: { received, form: { id: form, scoring }, workspace: { id: workspace } },
    key: null,
  } as unknown as Keyed;
}

/** The result for the body on the main thread, where light bodies are parsed. */
function onMainThread(body: Buffer, scoring: CompiledScoring) {
  const lead = parseLead(body);
  if (typeof lead === 'string') return { kind: 'unstorable', reason: lead };
  const repeats = new RepeatMemory();
  const score = scorer.score(lead.fields, scoring, { now, see: (print) => repeats.see('f', print, now) });
  return { kind: 'parsed', projection: lead.projection.toString(), score };
}

function shown(result: HeavyResult) {
  if (result.kind !== 'parsed') return result;
  return { kind: 'parsed', projection: result.projection.toString(), score: result.scoreResult.score };
}

test.each(Object.keys(hostileBodies))(
  'the heavy thread gives the same result as the main thread: %s',
  async (name) => {
    const body = (hostileBodies[name] as () => Buffer)();
    for (const scoring of [plain, strict])
      expect(shown(await heavy.parse(keyed(body, scoring)))).toEqual(onMainThread(body, scoring));
  },
);

test('for any body and settings, the heavy thread gives the same result as the main thread', async () => {
  const texts = fc.constantFrom(
    ...[
      'ada@engines.io',
      'x@mailinator.com',
      'Buy cheap casino bonus now http://x.example.top',
      '',
      'Ada',
      '\\u0000',
      '\\ud800',
    ],
  );
  const values = fc.oneof(
    texts.map((text) => `"${text}"`),
    fc.constantFrom('1', '1e400', '12345678901234567890', 'null', 'true', '[1,{"email":"a@b.example"}]', '['),
  );
  const keys = fc.constantFrom('name', 'email', 'message', 'trap', 'k1', '__proto__', 'a\\u0000', '');
  const bodies = fc
    .tuple(
      fc.array(fc.tuple(keys, values), { maxLength: 6 }),
      fc.constantFrom(0, 900, 999, 1_000, 1_001, 3_000),
      fc.boolean(),
    )
    .map(([members, count, bom]) => {
      const filling = Array.from({ length: count }, (_, n) => `"k${n}":${n}`);
      const all = [...members.map(([key, value]) => `"${key}":${value}`), ...filling];
      return Buffer.from(`${bom ? '\ufeff' : ''}{${all}}`);
    });
  await fc.assert(
    fc.asyncProperty(bodies, fc.constantFrom(plain, strict), async (body, scoring) => {
      expect(shown(await heavy.parse(keyed(body, scoring)))).toEqual(onMainThread(body, scoring));
    }),
  );
});

test('heavy and other leads count as repeats of each other, and a lead that was not stored does not count', async () => {
  const repeats = new RepeatMemory();
  const heavy = newHeavyLeads({ repeats });
  onTestFinished(() => heavy.stop());
  const body = Buffer.from(
    JSON.stringify({
      email: 'ada@engines.io',
      message: 'We need forty chairs for our office in Leeds.',
      list: Array(11_000).fill(1),
    }),
  );
  const codes = async () => {
    const result = await heavy.parse(keyed(body, plain, 'w', 'one form'));
    if (result.kind !== 'parsed') throw new Error(result.kind);
    const { score, forget } = result.scoreResult;
    return { codes: score.reasons.map(({ code }) => code), forget };
  };
  expect(isHeavy(shapeOf(body))).toBe(true);
  const first = await codes();
  expect(first.codes).not.toContain('REPEAT_BODY');
  first.forget();
  expect((await codes()).codes).not.toContain('REPEAT_BODY');
  expect((await codes()).codes).toContain('REPEAT_BODY');
  const lead = parseLead(body);
  if (typeof lead === 'string') throw new Error(lead);
  const see = (print: Parameters<RepeatMemory['see']>[1]) => repeats.see('one form', print, now);
  expect(scorer.score(lead.fields, plain, { now, see }).reasons.map(({ code }) => code)).toContain(
    'REPEAT_FLOOD',
  );
});

const wide = (mark: string) =>
  Buffer.from(`{"mark":"${mark}",${Array.from({ length: 1_100 }, (_, n) => `"k${n}":1`)}}`);

test('the heavy lead of one workspace does not wait behind all those of another', async () => {
  const order: string[] = [];
  const parsed = (workspace: string, n: number) =>
    heavy.parse(keyed(wide(`${n}`), plain, workspace)).then(() => order.push(workspace));
  const flood = Array.from({ length: 40 }, (_, n) => parsed('greedy', n));
  await parsed('neighbour', 0);
  expect(order.length).toBeLessThanOrEqual(3);
  await Promise.all(flood);
  expect(order).toHaveLength(41);
});

test('a workspace over its limit is refused immediately, while another still gets its turn', async () => {
  const results = Array.from({ length: 150 }, (_, n) => heavy.parse(keyed(wide(`${n}`), plain, 'greedy')));
  const other = await heavy.parse(keyed(wide('x'), plain, 'neighbour'));
  const kinds = (await Promise.all(results)).map(({ kind }) => kind);
  expect(other.kind).toBe('parsed');
  // One is in the thread, a hundred wait.
  expect(kinds.map((kind) => kind === 'parsed')).toEqual(kinds.map((_, n) => n <= 100));
  expect((await heavy.parse(keyed(wide('again'), plain, 'greedy'))).kind).toBe('parsed');
});

test('the drain gets its turn however many leads wait', async () => {
  const body = Buffer.from(`{"a":[${'1,'.repeat(65_000)}1]}`);
  const flood = Array.from({ length: 300 }, (_, n) => heavy.parse(keyed(body, plain, `workspace ${n % 10}`)));
  expect(await heavy.project(body)).toEqual(body);
  const kinds = (await Promise.all(flood)).map(({ kind }) => kind);
  expect(new Set(kinds)).toEqual(new Set(['parsed', 'unavailable']));
});

test('a body that kills the thread is tried once more and then refused; all others are parsed', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'leadgate-heavy-'));
  const workerFile = new URL('../../../test/support/dying-worker.ts', import.meta.url);
  const heavy = newHeavyLeads({ workerFile });
  onTestFinished(async () => {
    await heavy.stop();
    rmSync(dir, { recursive: true });
  });
  const marks = ['a', 'die always', 'b', `die once, and leave ${dir}/mark`, 'c'];
  const results = await Promise.all(marks.map((mark) => heavy.parse(keyed(wide(mark)))));
  expect(results.map(({ kind }) => kind)).toEqual(
    marks.map((mark) => (mark === 'die always' ? 'unavailable' : 'parsed')),
  );
  expect(await heavy.project(wide('die always'))).toEqual(Buffer.from('{}'));
  expect(await heavy.project(wide('d'))).toEqual(wide('d'));
});

test('stopping waits for every result', async () => {
  const heavy = newHeavyLeads();
  const results = Array.from({ length: 5 }, (_, n) => heavy.parse(keyed(wide(`${n}`), plain, `w${n}`)));
  let isStopped = false;
  const stopped = heavy.stop().then(() => {
    isStopped = true;
  });
  const kinds = await Promise.all(results.map(async (result) => [(await result).kind, isStopped]));
  expect(kinds).toEqual(Array(5).fill(['parsed', false]));
  await stopped;
});
