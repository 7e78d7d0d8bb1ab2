import fc from 'fast-check';
import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { depthMax, largeBodyBytes, parseLead } from '../../../src/domain/lead/lead.ts';
import { openTestPool } from '../../support/database/database.ts';
import { createSender, post, type Sender, submissionIdOf } from '../../support/sender.ts';
import { startTestService, type TestService } from '../../support/service.ts';

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
beforeEach(async () => {
  sender = await createSender(service);
});

const odd = [
  '\\u0000',
  '\\ud800',
  '\\udc00x',
  '\\ud83d\\ude00',
  '\\"',
  '\\\\',
  '\\/',
  '\\b',
  '\u007f',
  '\uffff',
  '\u{10ffff}',
  'é',
];
const texts = fc
  .array(fc.constantFrom('a', ' ', ':', ',', '{', ']', '1e9', ...odd), { maxLength: 6 })
  .map((parts) => parts.join(''));
const digits = (max: number) => fc.integer({ min: 1, max }).map((count) => '9'.repeat(count));
const numbers = fc.oneof(
  fc.constantFrom(
    '0',
    '-0',
    '-0.0',
    '1E5',
    '1e-400',
    '1e400',
    '-1e131072',
    '0.1',
    '9007199254740993',
    '100000000000000000000',
  ),
  digits(400),
  digits(400).map((fraction) => `0.${fraction}`),
  digits(310).map((zeros) => `-0.${zeros.replaceAll('9', '0')}1`),
);
const space = fc.constantFrom('', ' ', '\n\t', '\r');
const nested = fc
  .integer({ min: 1, max: depthMax })
  .map((depth) => `${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}`);
const value = fc.oneof(
  texts.map((text) => `"${text}"`),
  numbers,
  numbers.map((number) => `[{"n":${number}}]`),
  nested.map((list) => list || '[]'),
  fc.constantFrom('null', 'true', 'false', '{}', '{"":{"":""}}'),
);
const bodies = fc
  .tuple(fc.constantFrom('', '\ufeff'), space, fc.array(fc.tuple(texts, space, value), { maxLength: 4 }))
  .map(
    ([mark, gap, members]) =>
      `${mark}${gap}{${members.map(([key, pause, one]) => `"${key}"${pause}:${gap}${one}`)}}${gap}`,
  );

test('PostgreSQL can read the fields of every body that is stored without them, and they are what was sent', async () => {
  let alone = 0;
  await fc.assert(
    fc.asyncProperty(bodies, async (text) => {
      const body = Buffer.from(text);
      const lead = parseLead(body);
      if (typeof lead === 'string' || lead.projection !== body) return;
      alone++;
      const read = await pool.query(`select convert_from($1, 'UTF8')::jsonb as fields`, [body]);
      // PostgreSQL knows no negative zero.
      const sent = JSON.parse(JSON.stringify(lead.fields));
      expect(read.rows[0].fields).toEqual(sent);
    }),
    { numRuns: 2_000 },
  );
  expect(alone).toBeGreaterThan(200);
});

test.each([
  ['an ordinary lead is stored by its bytes alone', '{ "name": "Zoë", "n": 1.50 }', false],
  ['a lead with a byte order mark is stored with its fields', '\ufeff{"name":"Zoë"}', true],
  ['a lead that jsonb would reject is stored with its cleaned fields', '{"name":"Zo\\u0000"}', true],
  [
    'a large lead is stored with its fields',
    JSON.stringify({ name: 'Zoë', text: 'x'.repeat(largeBodyBytes) }),
    true,
  ],
])('%s, which can be shown and searched', async (_, body, hasFields) => {
  const submissionId = submissionIdOf(await post(service, sender, 'server', body));
  const { rows } = await pool.query('select body, fields from leads where submission_id = $1', [
    submissionId,
  ]);
  expect(rows).toHaveLength(1);
  expect([rows[0].body.toString(), rows[0].fields !== null]).toEqual([body, hasFields]);
  const at = `/workspaces/${sender.workspaceId}/leads`;
  const { name } = (await service.api('GET', `${at}/${submissionId}`)).json.fields;
  expect(name).toMatch(/^Zo/);
  for (const filter of ['q=zo', `field.name=${encodeURIComponent(name)}`, 'sort=field.name'])
    expect((await service.api('GET', `${at}?${filter}`)).json.items).toMatchObject([
      { submission_id: submissionId },
    ]);
});
