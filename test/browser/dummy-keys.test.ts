import { afterAll, beforeAll, expect, test } from 'vitest';
import { isTokenSignedWith, readBrowserToken } from '../../src/domain/browser/browser-token.ts';
import { dummyFormIds, dummyKeys, dummyWorkspaceId } from '../../src/domain/browser/dummy-keys.ts';
import { BrowserSigningKeys } from '../../src/domain/browser/signing-keys.ts';
import { metricOf } from '../support/diagnostics.ts';
import { encryptionKey, startTestService, type TestService } from '../support/service.ts';
import { elsewhere, exchanged, expectRefused, PageWorld, someHash, wrongSolution } from './page-world.ts';

let service: TestService;
let pages: PageWorld;
beforeAll(async () => {
  service = await startTestService({ env: { TRUST_PROXY: '1' } });
  pages = new PageWorld(service);
});
afterAll(async () => {
  await pages.close();
  await service.stop();
});

test.each(['accepted', 'rejected'] as const)(
  'the key that is always %s gives a token to any page, for nearly no work',
  async (kind) => {
    for (const origin of ['http://localhost:5173', 'https://test.customer.example']) {
      const from = { ...elsewhere(), origin };
      const given = await pages.challenge({ key: dummyKeys[kind] }, from);
      expect(given.bits).toBe(1);
      const answer = await pages.ask('tokens', exchanged(given), from);
      const read = readBrowserToken(JSON.parse(answer.body).token);
      const ids = { workspaceId: dummyWorkspaceId, formId: dummyFormIds[kind], origin };
      expect(read?.claims).toMatchObject(ids);
      const { key } = new BrowserSigningKeys(encryptionKey).current('tokens', dummyWorkspaceId);
      expect(read !== null && isTokenSignedWith(read, key)).toBe(true);
    }
  },
);

test('the key that is always spent gives challenges and no token', async () => {
  const from = elsewhere();
  expectRefused(await pages.token({ key: dummyKeys.spent }, from));
});

test('a dummy key checks the origin header and the solution like any other', async () => {
  const asking = { key: dummyKeys.accepted, body_hash: someHash };
  for (const origin of [
    null,
    'null',
    'HTTPS://UPPER.example',
    'https://*.example.com',
    'https://a.example/path',
  ])
    expectRefused(await pages.ask('challenges', asking, { ...elsewhere(), origin }));
  const given = await pages.challenge({ key: dummyKeys.accepted }, elsewhere());
  expectRefused(await pages.ask('tokens', exchanged(given, wrongSolution(given)), elsewhere()));
});

test('nothing is stored or counted for dummy keys but a metric', async () => {
  const name = 'leadgate_browser_mint_requests_total{step="token",outcome="dummy"}';
  const before = await metricOf(service, name);
  expect((await pages.token({ key: dummyKeys.accepted }, elsewhere())).status).toBe(201);
  expect(await metricOf(service, name)).toBe(before + 1);
  // Of a real form, so that the counts of the dummy would have been written, too.
  const form = await pages.createForm();
  await pages.token(form, elsewhere());
  await pages.counts(form, (counts) => Object.keys(counts).length === 2);
  const { rows } = await pages.pool.query('select distinct form_id from mint_counts');
  expect(rows).toEqual([{ form_id: form.formId }]);
});
