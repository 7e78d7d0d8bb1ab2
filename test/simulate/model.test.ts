import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DatabaseModel } from '../../simulate/database/database-model.ts';
import { uuidText } from '../../simulate/database/workspace-rows.ts';
import type { AdmissionOutcome } from '../../src/db/held/admission.ts';
import { ingestLimits } from '../../src/db/ingest/ingest-commit.ts';
import type { StoredOriginal } from '../../src/db/ingest/stored-originals.ts';
import { hashKey } from '../../src/domain/lead/idempotency.ts';
import { shardOf } from '../../src/domain/workspace.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';
import { decidingSequence, type Operation, type Sequence, sequence } from './choices.ts';
import { RealDatabase } from './real-database.ts';
import { comparable, rowsOf } from './table-rows.ts';
import { bodyHashes, signedIdOf, uuid, World } from './world.ts';

let database: TestDatabase;
let real: RealDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
  real = new RealDatabase(database.url);
  await real.open();
});
afterAll(async () => {
  await real.close();
  await database.drop();
});

const runs = 150;
const decidingRuns = 60;
const seen = new Map<string, number>();
let worlds = 0;

test('the database model returns the same results as PostgreSQL, and has the same rows afterwards', async () => {
  await fc.assert(fc.asyncProperty(sequence, compareAll), { numRuns: runs });
});

test('and it admits and discards the same held submissions', async () => {
  await fc.assert(fc.asyncProperty(decidingSequence, compareAll), {
    numRuns: decidingRuns,
    endOnFailure: true,
  });
});

async function compareAll({ limits, steps }: Sequence): Promise<void> {
  const world = new World(++worlds);
  const model = new DatabaseModel(limits);
  await real.empty({ ...ingestLimits, ...limits });
  for (const { moveMs, operation } of steps) {
    world.now += moveMs;
    await compare(operation, world, model);
  }
  expectEqual(comparable(rowsOf(model)), comparable(await real.rows()), 'rows');
}

test('the sequences produce every result that successive calls can have', () => {
  const answers = [
    ...['replay', 'rate_limited_minute', 'rate_limited_day', 'taken', '23505', '21000'].map(
      (a) => `commit ${a}`,
    ),
    ...['known', 'other_body', 'erased'].map((a) => `drain ${a}`),
    ...['erase true', 'erase false', 'quarantine true', 'quarantine false', 'flush 23505', 'flush 21000'],
    ...['find true', 'find false'],
    ...['kept', 'known', 'excluded', 'full'].map((a) => `hold ${a}`),
    ...['admitted', 'twin', 'decided', 'missing', 'not_admissible'].map((a) => `admit ${a}`),
    ...['discarded', 'decided'].map((a) => `discard ${a}`),
  ];
  const rare = answers.filter((answer) => (seen.get(answer) ?? 0) < 5);
  expect(rare).toEqual([]);
});

async function compare(operation: Operation, world: World, model: DatabaseModel): Promise<void> {
  const { kind } = operation;
  const both = async <T>(ofModel: () => T, ofReal: () => Promise<T>): Promise<void> => {
    const answer = answerOf(() => ofModel());
    expectEqual(answer, await answerOfReal(ofReal), kind);
    note(kind === 'retry' ? 'commit' : kind, answer);
  };
  const { now } = world;
  switch (operation.kind) {
    case 'commit':
    case 'retry': {
      const leads =
        operation.kind === 'commit'
          ? world.batch(operation.leads, operation.hasDoubles)
          : world.formerBatch(operation.back);
      if (leads.length === 0) return;
      const options = { now, isRetry: operation.isRetry };
      return both(
        () => byPlace(model.ingestCommit(leads, options)),
        async () => byPlace(await real.ingestCommit(leads, options)),
      );
    }
    case 'drain': {
      const leads = world.batch(operation.leads);
      if (leads.length === 0) return;
      return both(
        () => byPlace(model.storeSpooled(leads)),
        async () => byPlace(await real.storeSpooled(leads)),
      );
    }
    case 'quarantine': {
      const lead = world.lead(operation.lead);
      if (lead === null) return;
      const args = [lead, operation.reason, 'SQLSTATE 22P05', new Date(now)] as const;
      for (let times = operation.isRepeated ? 2 : 1; times > 0; times--)
        await both(
          () => model.quarantineLead(...args),
          () => real.quarantineLead(...args),
        );
      return;
    }
    case 'find': {
      const sought = operation.sought.map(({ workspace, key, signature }) => {
        const workspaceId = world.workspace(workspace);
        const keyHash = key === null ? null : hashKey(`key ${key}`);
        const signedId = signature === null ? null : signedIdOf(signature);
        return { shard: shardOf(workspaceId), workspaceId, keyHash, signedId };
      });
      const args = [sought, now] as const;
      return both(
        () => originals(model.findOriginals(...args)),
        async () => originals(await real.findOriginals(...args)),
      );
    }
    case 'expire': {
      const shard = shardOf(world.workspace(operation.workspace));
      // Which rows the first call deletes is undefined; the second deletes the rest.
      for (const rowsMax of [operation.rowsMax, 1000])
        await both(
          () => model.deleteExpiredKeys(shard, now, rowsMax),
          () => real.deleteExpiredKeys(shard, now, rowsMax),
        );
      return;
    }
    case 'erase': {
      const lead = world.formerLead(operation.back);
      // The real function has a fixed lifetime.
      if (lead === null || model.limits.keyLifetimeMs !== ingestLimits.keyLifetimeMs) return;
      const workspaceId = uuidText(lead.workspaceId);
      const id = (operation.isNext ? lead.nextSubmissionId : null) ?? lead.submissionId;
      return both(
        () => model.eraseLead(workspaceId, id, now, (body) => bodyHashes.of(workspaceId, body)),
        () => real.eraseLead(workspaceId, id, now),
      );
    }
    case 'flush': {
      const args = [uuid('15', operation.instance), operation.sequence, now, world.flush(operation)] as const;
      return both(
        () => model.applyFlush(...args),
        () => real.applyFlush(...args),
      );
    }
    case 'hold': {
      const args = world.hold(operation);
      return both(
        () => model.hold(...args).map((outcome) => ({ outcome })),
        async () => (await real.hold(...args)).map((outcome) => ({ outcome })),
      );
    }
    case 'admit': {
      const args = world.admission(operation);
      if (args === null) return;
      return both(
        () => admissions(model.admitRows(...args)),
        async () => admissions(await real.admitRows(...args)),
      );
    }
    case 'discard': {
      const args = world.discard(operation);
      if (args === null) return;
      return both(
        () => byId([...model.discardRows(...args)].map(([id, outcome]) => ({ id, outcome }))),
        async () => byId([...(await real.discardRows(...args))].map(([id, outcome]) => ({ id, outcome }))),
      );
    }
  }
}

/** Compares quickly first, because a sequence has dozens of steps. */
function expectEqual(ofModel: unknown, ofReal: unknown, what: string): void {
  if (!isDeepStrictEqual(ofModel, ofReal)) expect(ofModel, what).toEqual(ofReal);
}

interface Refusal {
  readonly code: string | undefined;
  readonly severity: string | undefined;
  readonly message: string;
}

function answerOf<T>(work: () => T): T | Refusal {
  try {
    return work();
  } catch (error) {
    return refusalOf(error);
  }
}

async function answerOfReal<T>(work: () => Promise<T>): Promise<T | Refusal> {
  try {
    return await work();
  } catch (error) {
    return refusalOf(error);
  }
}

function refusalOf(error: unknown): Refusal {
  if (!(error instanceof pg.DatabaseError)) throw error;
  const { code, severity, message } = error;
  return { code, severity, message };
}

/** PostgreSQL does not guarantee an order. */
function byPlace<T extends { readonly place: number }>(exceptions: readonly T[]): T[] {
  return exceptions.toSorted((a, b) => a.place - b.place);
}

/** Of several equal leads, any may be named. */
function admissions(outcomes: ReadonlyMap<string, AdmissionOutcome>) {
  return byId(
    [...outcomes].map(([id, { kind: outcome, ...of }]) => ({
      id,
      outcome,
      ...(outcome === 'twin' ? {} : of),
    })),
  );
}

function byId<T extends { readonly id: string }>(rows: readonly T[]): T[] {
  return rows.toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

function originals(found: readonly StoredOriginal[]): string | null {
  const texts = found.map(
    ({ place, submissionId, bodyHash }) => `${place} ${submissionId} ${bodyHash?.toString('hex')}`,
  );
  return found.length === 0 ? null : texts.join();
}

function note(kind: string, answer: unknown): void {
  const words = Array.isArray(answer)
    ? answer.map(({ outcome }) => outcome)
    : [(answer as Refusal | null)?.code ?? (typeof answer === 'boolean' ? answer : answer !== null)];
  for (const word of words) seen.set(`${kind} ${word}`, (seen.get(`${kind} ${word}`) ?? 0) + 1);
}
