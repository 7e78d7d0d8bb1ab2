import { hostileBodies } from '../chaos/hostile/bodies.ts';
import { encodedColumns } from '../src/db/ingest/ingest-commit.ts';
import { isHeavy, shapeOf } from '../src/domain/lead/body-shape.ts';
import { fingerprintBody } from '../src/domain/lead/idempotency.ts';
import { parseLead } from '../src/domain/lead/lead.ts';
import { loadScoringData } from '../src/domain/score/data.ts';
import { RepeatMemory } from '../src/domain/score/repeat-memory.ts';
import type { Score } from '../src/domain/score/score.ts';
import { createScorer } from '../src/domain/score/scorer.ts';
import { compileScoring } from '../src/domain/score/settings/compile.ts';
import { defaultScoringSettings } from '../src/domain/score/settings/settings.ts';
import { sign } from '../src/domain/signature.ts';
import { encodeBounded } from '../src/ingest/spool/entry.ts';
import { encodeRecord } from '../src/ingest/spool/record.ts';
import { table } from './report.ts';

/**
 * The cost of each hostile body per stage, in milliseconds. `loop` is the part that blocks the event loop in the most
 * expensive case, a signed request with a key: for a heavy body, everything but parsing and scoring.
 */
const runs = 25;
const scorer = createScorer(loadScoringData());
const form = compileScoring(defaultScoringSettings, [], 0);
const id = Buffer.alloc(16, 1);
const loopMsMax = 3;

interface Timed<Result> {
  readonly ms: number;
  readonly result: Result;
}

/** The lower quartile of all runs: the cost on an otherwise idle machine. */
function timed<Result>(work: () => Result): Timed<Result> {
  const times: number[] = [];
  let result: Result;
  do {
    const startedAt = performance.now();
    result = work();
    times.push(performance.now() - startedAt);
  } while (times.length < runs);
  times.sort((a, b) => a - b);
  return { ms: times[Math.floor(runs / 4)] as number, result };
}

function measure(body: Buffer) {
  const shape = timed(() => shapeOf(body, true));
  const parsed = timed(() => parseLead(body));
  const signed = timed(() => [sign('secret', '0', body), sign('former', '0', body)]);
  const hashed = timed(() => fingerprintBody(body));
  const lead = parsed.result;
  if (typeof lead === 'string') return { shape, parsed, signed, hashed, scored: 0, encoded: 0, spooled: 0 };
  const repeats = new RepeatMemory();
  let now = 0;
  const scored = timed(() =>
    scorer.score(lead.fields, form, { now: ++now, see: (print) => repeats.see('form', print, now) }),
  );
  const row = storable(body, lead.projection, scored.result);
  const encoded = timed(() => encodedColumns([row])).ms;
  const spooled = timed(() => encodeRecord(0n, encodeBounded(row))).ms;
  return { shape, parsed, signed, hashed, scored: scored.ms, encoded, spooled };
}

function storable(body: Buffer, projection: Buffer, score: Score) {
  const submissionId = '01900000-0000-7000-8000-000000000000';
  const ids = { shard: 0, workspaceId: id, formId: id, tokenId: id, submissionId };
  return {
    ...ids,
    surface: 'server' as const,
    receivedAt: 0,
    body,
    projection,
    score,
    key: null,
    signed: null,
  };
}

const rows = Object.entries(hostileBodies).map(([name, make]) => {
  const body = make();
  const { shape, parsed, signed, hashed, scored, encoded, spooled } = measure(body);
  const heavy = isHeavy(shape.result);
  const loop =
    shape.ms + signed.ms + hashed.ms + Math.max(encoded, spooled) + (heavy ? 0 : parsed.ms + scored);
  const stages = [shape.ms, signed.ms, hashed.ms, parsed.ms, scored, encoded, spooled];
  return { name, heavy, loop, stages };
});
rows.sort((a, b) => b.loop - a.loop);
const head = ['body', '', 'loop', 'count', 'sign', 'hash', 'parse', 'score', 'encode', 'spool'];
const lines = rows.map(({ name, heavy, loop, stages }) => [
  name,
  heavy ? 'thread' : '',
  ...[loop, ...stages].map((ms) => ms.toFixed(2)),
]);
process.stdout.write(`${table([head, ...lines]).join('\n')}\n`);
const above = rows.filter(({ loop }) => loop > loopMsMax).length;
process.stdout.write(
  `${above} of ${rows.length} bodies block the event loop for more than ${loopMsMax} ms.\n`,
);
