import { createSecretKey } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hmacSha256, parseSignature, signaturesEqual } from '../../src/domain/signature.ts';
import type { Surface } from '../../src/domain/surface.ts';
import { openTestPool } from '../support/database/database.ts';
import {
  type Answer,
  createSender,
  post,
  type Sender,
  senderSurfaces,
  someLead,
  submissionIdOf,
} from '../support/sender.ts';
import { startTestService, type TestService } from '../support/service.ts';

/** Public test data that is not part of the repository. These tests run only where it is present. */
const corpora = join(import.meta.dirname, '../../../shared/data/corpora');
const isPresent = existsSync(corpora);

interface Sent {
  readonly body: Buffer;
  readonly answer: Answer;
}

describe.runIf(isPresent)('public corpora', () => {
  let service: TestService;
  let sender: Sender;
  let pool: pg.Pool;

  beforeAll(async () => {
    service = await startTestService();
    pool = openTestPool(service.databaseUrl);
  });
  afterAll(async () => {
    await pool.end();
    await service.stop();
  });

  /** Only 200 and 202, and exact bytes for each 202. */
  async function expectHandled(sent: readonly Sent[]): Promise<void> {
    expect(sent.filter(({ answer }) => ![200, 202].includes(answer.status))).toEqual([]);
    const accepted = sent.filter(({ answer }) => answer.status === 202);
    const { rows } = await pool.query<{ submission_id: string; body: Buffer }>(
      'select submission_id, body from leads where workspace_id = $1',
      [sender.workspaceId],
    );
    const stored = new Map(rows.map(({ submission_id, body }) => [submission_id, body]));
    const altered = accepted.filter(({ answer, body }) => !stored.get(submissionIdOf(answer))?.equals(body));
    expect(altered.map(({ body }) => body.toString())).toEqual([]);
    expect(accepted.length).toBeGreaterThan(0);
  }

  async function sendAll(bodies: readonly Buffer[], surface: Surface): Promise<Sent[]> {
    return Promise.all(
      bodies.map(async (body) => ({ body, answer: await post(service, sender, surface, body) })),
    );
  }

  const suite = join(corpora, 'json-test-suite');
  const files = isPresent
    ? ['test_parsing', 'test_transform'].flatMap((dir) =>
        readdirSync(join(suite, dir)).map((name) => join(dir, name)),
      )
    : [];

  test('JSON: every file, raw and wrapped, on both surfaces gets 200 or 202, and each 202 is stored exactly', async () => {
    sender = await createSender(service);
    const bodies = files.flatMap((file) => {
      const raw = readFileSync(join(suite, file));
      return [raw, Buffer.concat([Buffer.from('{"v": '), raw, Buffer.from('}')])];
    });
    for (const surface of senderSurfaces) await expectHandled(await sendAll(bodies, surface));
  });

  test('JSON: valid objects are accepted, invalid JSON is rejected', async () => {
    sender = await createSender(service);
    const parsing = files.filter((name) => name.startsWith('test_parsing'));
    const bodies = parsing.map((file) => readFileSync(join(suite, file)));
    for (const [number, { answer }] of (await sendAll(bodies, 'server')).entries()) {
      const { status } = answer;
      const file = parsing[number] as string;
      const name = file.slice('test_parsing/'.length);
      if (name.startsWith('n_')) expect([file, status]).toEqual([file, 200]);
      if (name.startsWith('y_object')) expect([file, status]).toEqual([file, 202]);
    }
  });

  test('naughty strings: each is stored exactly as a field, and is harmless as key, slug and token', async () => {
    const strings: string[] = JSON.parse(readFileSync(join(corpora, 'blns.json'), 'utf8'));
    sender = await createSender(service);
    const bodies = strings.map((naughty) => Buffer.from(JSON.stringify({ name: naughty, [naughty]: 'key' })));
    await expectHandled(await sendAll(bodies, 'server'));
    const bearers = strings
      .map((naughty) => Buffer.from(naughty.replace(/[\r\n\0]/g, ' ')).toString('latin1'))
      .filter((header) => /^[\t\x20-\x7e\x80-\xff]*$/.test(header));
    const asSlugs = strings.map((naughty) =>
      post(service, sender, 'webhook', someLead, {
        path: `/api/v1/ingest/${encodeURIComponent(naughty.toWellFormed())}`,
      }),
    );
    const asTokens = bearers.map((header) =>
      post(service, sender, 'server', someLead, { headers: { Authorization: `Bearer ${header}` } }),
    );
    const refused = await Promise.all([...asSlugs, ...asTokens]);
    expect(refused.filter(({ status }) => status !== 200)).toEqual([]);
    const asKeys = await Promise.all(
      bearers.map((key) => post(service, sender, 'server', someLead, { key })),
    );
    expect(asKeys.filter(({ status }) => status !== 200 && status !== 202)).toEqual([]);
  });

  test('HMAC-SHA256: every full-length valid vector matches; invalid and truncated ones do not', () => {
    const { testGroups } = JSON.parse(readFileSync(join(corpora, 'hmac_sha256_test.json'), 'utf8'));
    for (const { tagSize, tests } of testGroups) {
      for (const { key, msg, tag, result } of tests) {
        const received = parseSignature(tag);
        const expected = hmacSha256(createSecretKey(Buffer.from(key, 'hex')), Buffer.from(msg, 'hex'));
        const isVerified = received !== null && signaturesEqual(received, expected);
        expect(isVerified).toBe(result === 'valid' && tagSize === 256);
      }
    }
  });
});
