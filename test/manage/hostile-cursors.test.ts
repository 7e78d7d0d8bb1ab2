import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { calls } from '../../src/contract/calls.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { createForm, createWorkspace, Seed } from './leads/seed.ts';

let service: TestService;
let ids: Record<string, string>;

beforeAll(async () => {
  service = await startTestService();
  const workspace_id = await createWorkspace(service);
  const form_id = (await createForm(service, workspace_id)).id;
  const seed = new Seed(service);
  ids = { workspace_id, form_id, submission_id: await seed.lead(workspace_id, { form_id }) };
  await seed.stop();
});
afterAll(() => service.stop());

function parametersOf(query: z.ZodType | undefined): string[] {
  if (query === undefined) return [];
  return Object.keys(z.toJSONSchema(query, { io: 'input', unrepresentable: 'any' }).properties ?? {});
}

function pathsThatTake(parameter: string): string[] {
  const taking = calls.filter(({ query }) => parametersOf(query).includes(parameter));
  return taking.map(({ path }) => path);
}

function call(path: string, parameter: string, value: string) {
  const filled = path.replaceAll(/:(\w+)/g, (_, name: string) => ids[name] as string);
  return service.api('GET', `${filled}?${parameter}=${encodeURIComponent(value)}`);
}

const times = [
  '2026-02-31T00:00:00.000Z',
  '2026-13-01T00:00:00.000Z',
  '2026-11-15T25:00:00.000Z',
  '0000-00-00T00:00:00.000Z',
  '0000-01-01T00:00:00.000Z',
  '-000001-01-01T00:00:00.000Z',
  '-271821-04-20T00:00:00.000Z',
  '+099999-01-01T00:00:00.000Z',
  '+275760-09-13T00:00:00.000Z',
  '99999-01-01T00:00:00.000Z',
  'Invalid Date',
  'infinity',
  'NaN',
  '',
];
const numbers = ['-1', '1.5', '1e3', 'NaN', 'Infinity', '2147483648', '9'.repeat(400), '0x10', ' 1', '１'];
const soundTime = '2026-11-15T08:00:00.000Z';
const written = [
  ...times.map((time) => `${time} ${randomUUID()}`),
  ...numbers,
  `${soundTime} `,
  `${soundTime} x`,
  `${soundTime} ${randomUUID()}0`,
  `${soundTime} ${randomUUID()} more`,
  `${soundTime} ${randomUUID()}\0`,
  `\0${soundTime} ${randomUUID()}`,
  `${soundTime}\0${randomUUID()}`,
  '{"at":"2026-11-15T08:00:00.000Z"}',
  'null',
  '[]',
  '\ud800',
];
const cursors = [
  ...written.map((text) => Buffer.from(text).toString('base64url')),
  Buffer.from(`${soundTime} ${randomUUID()}`).toString('base64'),
  `${Buffer.from(`${soundTime} ${randomUUID()}`).toString('base64url')}=`,
  'x',
  '%',
  "' or 1=1 --",
  '\0',
  '☃',
  'A'.repeat(10_000),
];

describe.each(pathsThatTake('cursor'))('GET %s', (path) => {
  test('responds with 422 to a cursor that it cannot have given', async () => {
    for (const cursor of cursors) {
      const { status, json } = await call(path, 'cursor', cursor);
      expect([cursor, status, json.code]).toEqual([cursor, 422, 'invalid_cursor']);
    }
  });

  test('responds to any well-formed cursor with a page or 422', async () => {
    const time = fc.oneof(
      fc.constantFrom(...times),
      fc.date().map((date) => (Number.isNaN(date.getTime()) ? 'NaN' : date.toISOString())),
    );
    const text = fc.oneof(
      fc.tuple(time, fc.uuid()).map((parts) => parts.join(' ')),
      fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }).map(String),
      fc.string({ unit: 'binary' }),
    );
    await fc.assert(
      fc.asyncProperty(text, async (given) => {
        const { status } = await call(path, 'cursor', Buffer.from(given).toString('base64url'));
        expect([200, 422]).toContain(status);
      }),
      { numRuns: 30 },
    );
  });
});

describe.each(pathsThatTake('from'))('GET %s', (path) => {
  const limits = [
    ...times,
    '0000-01-01T00:00:00Z',
    '0001-01-01T00:00:00+14:00',
    '9999-12-31T23:59:59-14:00',
    `${soundTime}\0`,
    '9'.repeat(5_000),
  ];
  test.each(['from', 'to'])('responds with 422 to a time that does not exist as %s', async (parameter) => {
    for (const time of limits) {
      const { status, json } = await call(path, parameter, time);
      expect([time, status, json.code]).toEqual([time, 422, 'invalid_input']);
    }
  });

  test.each(['0001-01-01T00:00:00Z', '1969-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'])(
    'takes the time %s or says why not',
    async (time) => {
      expect([200, 422]).toContain((await call(path, 'from', time)).status);
      expect([200, 422]).toContain((await call(path, 'to', time)).status);
    },
  );
});
