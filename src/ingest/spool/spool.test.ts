import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import type { StorableLead } from '../../db/ingest/ingest-commit.ts';
import { realDisk } from '../../disk/real-disk.ts';
import { bodyBytesMax } from '../../domain/lead/lead.ts';
import { rateLimits } from '../../domain/rate-window.ts';
import { systemRandomness } from '../../time/randomness.ts';
import { systemClock } from '../../time/real-clock.ts';
import type { CommitResult } from '../commit/commit-result.ts';
import { fallbackScore } from '../commit/score.ts';
import type { Submission } from '../commit/submission.ts';
import { decodeEntry } from './entry.ts';
import { readSegment, readSegmentInTurns } from './segment.ts';
import { Spool } from './spool.ts';

test('stored leads can be read back, however large their reasons are', async () => {
  const root = mkdtempSync(join(tmpdir(), 'leadgate-spool-'));
  const log = pino({ level: 'silent' });
  const spool = new Spool({
    root,
    bytesMax: 2 ** 30,
    clock: systemClock,
    randomness: systemRandomness,
    disk: realDisk,
    limits: rateLimits,
    log,
    nextId: () => '',
  });
  onTestFinished(async () => {
    await spool.close();
    rmSync(root, { recursive: true });
  });
  const id = Buffer.alloc(16, 1);
  const reasons = Array.from({ length: 3 }, () => ({
    code: 'X',
    points: 1,
    text: '',
    field: 'k'.repeat(100_000),
  }));
  const bodies = Array.from({ length: 5 }, (_, n) => Buffer.alloc(bodyBytesMax, `${n}`));
  await spool.open();
  for (const [n, body] of bodies.entries()) {
    const ids = { shard: 0, workspaceId: id, formId: id, tokenId: null, submissionId: `0${n}` };
    const score = n % 2 === 0 ? { ...fallbackScore, reasons } : fallbackScore;
    const lead: StorableLead = {
      ...ids,
      surface: 'server',
      receivedAt: 0,
      body,
      projection: body,
      score,
      key: null,
      signed: null,
    };
    const { kind } = await new Promise<CommitResult>((settle) =>
      spool.submit({ lead, score: () => lead, settle } as unknown as Submission),
    );
    expect(kind).toBe('stored');
  }
  await spool.seal();
  const [folder] = spool.folders;
  const [segment] = (await folder?.segments()) ?? [];
  const bytes = (await folder?.read(segment as string)) as Buffer;
  const { records, damages } = await readSegmentInTurns(bytes, systemClock);
  expect(records).toEqual(readSegment(bytes).records);
  expect(damages).toEqual([]);
  expect(records.map(({ payload }) => decodeEntry(payload)?.body)).toEqual(bodies);
});
