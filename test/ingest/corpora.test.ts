import { createSecretKey } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hmacSha256, parseSignature, signaturesEqual } from '../../src/domain/signature.ts';
import { type Answer, createSender, post, type Sender, someLead, submissionIdOf } from '../support/sender.ts';
import { startTestService, type TestService } from '../support/service.ts';

/** Public data that no one here wrote. It is not part of the repository, so these tests run where it is present. */
const corpora = join(import.meta.dirname, '../../../shared/data/corpora');
const isPresent = existsSync(corpora);

describe.runIf(isPresent)('public corpora', () => {
  let service: TestService;
  let sender: Sender;

  beforeAll(async () => {
    service = await startTestService();
  });
  afterAll(() => service.stop());

  async function expectHandled(answer: Answer, body: Buffer): Promise<void> {
    expect([200, 202]).toContain(answer.status);
    if (answer.status !== 202) return;
    const at = `${service.url}/api/v1/workspaces/${sender.workspaceId}/leads/${submissionIdOf(answer)}/body`;
    const stored = await fetch(at, { headers: { Authorization: `Bearer ${service.operatorKey}` } });
    expect(Buffer.from(await stored.arrayBuffer()).equals(body)).toBe(true);
  }

  const suite = join(corpora, 'json-test-suite');
  const files = isPresent
    ? ['test_parsing', 'test_transform'].flatMap((dir) =>
        readdirSync(join(suite, dir)).map((name) => join(dir, name)),
      )
    : [];

  test('JSON: every file, raw and wrapped, on both surfaces: no foreign status, and exact bytes for each 202', async () => {
    sender = await createSender(service);
    for (const file of files) {
      const raw = readFileSync(join(suite, file));
      const wrapped = Buffer.concat([Buffer.from('{"v": '), raw, Buffer.from('}')]);
      for (const body of [raw, wrapped]) {
        await expectHandled(await post(service, sender, 'server', body), body);
        await expectHandled(await post(service, sender, 'webhook', body), body);
      }
    }
  });

  test('JSON: what must parse is accepted when it is an object, what must not is rejected', async () => {
    sender = await createSender(service);
    for (const file of files.filter((name) => name.startsWith('test_parsing'))) {
      const raw = readFileSync(join(suite, file));
      const { status } = await post(service, sender, 'server', raw);
      const name = file.slice('test_parsing/'.length);
      if (name.startsWith('n_')) expect([file, status]).toEqual([file, 200]);
      if (name.startsWith('y_object')) expect([file, status]).toEqual([file, 202]);
    }
  });

  test('naughty strings: each is stored exactly as a field, and is harmless as key, slug and token', async () => {
    const strings: string[] = JSON.parse(readFileSync(join(corpora, 'blns.json'), 'utf8'));
    sender = await createSender(service);
    for (const naughty of strings) {
      const body = Buffer.from(JSON.stringify({ name: naughty, [naughty]: 'key' }));
      await expectHandled(await post(service, sender, 'server', body), body);
      const header = Buffer.from(naughty.replace(/[\r\n\0]/g, ' ')).toString('latin1');
      const isSendable = /^[\t\x20-\x7e\x80-\xff]*$/.test(header);
      const attempts = [
        post(service, sender, 'webhook', someLead, {
          path: `/api/v1/ingest/${encodeURIComponent(naughty.toWellFormed())}`,
        }),
        ...(isSendable
          ? [post(service, sender, 'server', someLead, { headers: { Authorization: `Bearer ${header}` } })]
          : []),
      ];
      for (const { status } of await Promise.all(attempts)) expect(status).toBe(200);
      if (isSendable)
        expect([200, 202]).toContain(
          (await post(service, sender, 'server', someLead, { key: header })).status,
        );
    }
  });

  test('HMAC-SHA256: every full-length valid vector verifies, every invalid or truncated one is refused', () => {
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
