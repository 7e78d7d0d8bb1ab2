import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startTestService, type TestService } from '../../support/service.ts';
import { createWorkspace, Seed } from './seed.ts';

let service: TestService;
let seed: Seed;
let workspaceId: string;

beforeAll(async () => {
  service = await startTestService();
  seed = new Seed(service);
});
beforeEach(async () => {
  workspaceId = await createWorkspace(service);
});
afterAll(async () => {
  await seed.stop();
  await service.stop();
});

const received_at = '2025-06-01T08:00:00Z';
function exported(query: string): Promise<Response> {
  const address = `${service.url}/api/v1/workspaces/${workspaceId}/leads/export${query}`;
  const headers = { authorization: `Bearer ${service.operatorKey}` };
  return fetch(address, { headers });
}

test('no key and no value begins a formula for a reader of semicolons or tabs, nested or in a column of rare keys', async () => {
  const hostile = `x;=cmd|' /C calc'!A0;"=1\t@x\n-1\r+1;\t"=1;y`;
  const many = Object.fromEntries(Array.from({ length: 505 }, (_, i) => [`key_${i}`, i]));
  const fields = { [hostile]: hostile, list: [hostile], object: { [hostile]: hostile } };
  await seed.lead(workspaceId, { received_at, fields: { ...fields, ...many } });
  await seed.lead(workspaceId, { received_at: '2025-05-01T08:00:00Z', fields: { ...many, '; =z': ';+z' } });
  for (const query of [
    '',
    `?columns=${encodeURIComponent(JSON.stringify([`field.${hostile}`, 'field.list']))}`,
  ]) {
    const text = await (await exported(query)).text();
    expect(text).toContain("x;'=cmd");
    for (const separator of [/[;\r\n]/, /[\t\r\n]/])
      expect(text.split(separator).filter((cell) => /^["\s]*[=+@-]/.test(cell))).toEqual([]);
  }
});
