import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mintToken } from '../../src/domain/token.ts';
import { closeStages, stage } from '../clients/stage.ts';
import { createApiKey } from '../manage/api-keys/key-holder.ts';
import { leadgate, operatorOf, warmLeadgate } from '../support/command-line/command-line.ts';
import { scratchFolder } from '../support/scratch.ts';
import { createSender, type Sender } from '../support/sender.ts';
import { startTestService, type TestService } from '../support/service.ts';

let service: TestService;
let sender: Sender;
let operator: ReturnType<typeof operatorOf>;
const scratch = scratchFolder();
// Spaces, an escaped letter and a line break, which a program that parses it would not keep.
const exact = '{ "name":"Zo\\u00eb",\n  "email":"zoe@example.com" }\n';

beforeAll(async () => {
  service = await startTestService();
  sender = await createSender(service);
  await createSender(service);
  operator = operatorOf(service);
  writeFileSync(join(scratch, 'lead.json'), exact);
});
afterAll(() => service.stop());

const withToken = (more: Record<string, string> = {}) => ({
  LEADGATE_URL: service.url,
  LEADGATE_TOKEN: sender.token,
  ...more,
});

async function bodyOf(id: string): Promise<string> {
  return (await service.api('GET', `/workspaces/${sender.workspaceId}/leads/${id}/body`)).text;
}

test('the exact bytes of a file and of standard input are sent', async () => {
  const words = ['lead', 'send', '--json'];
  const results = [
    await warmLeadgate([...words, join(scratch, 'lead.json')], { env: withToken() }),
    await warmLeadgate([...words, '--file', join(scratch, 'lead.json')], { env: withToken() }),
    await leadgate([...words, '-'], { env: withToken(), input: exact }),
  ];
  for (const { code, json } of results) {
    expect(code).toBe(0);
    expect(await bodyOf(json.submission_id)).toBe(exact);
  }
});

describe('what cannot be a lead gets one sentence, and nothing is sent:', () => {
  const files = {
    'empty.json': '',
    'half.json': '{"email":',
    'list.json': '[{"email":"ada@example.com"}]',
    'latin.json': Buffer.from('{"name":"Zo\xeb"}', 'latin1'),
    'large.json': JSON.stringify({ text: 'x'.repeat(131_072) }),
  };

  test.each([
    ['a file that is not there', ['none.json'], 'none.json cannot be read: there is no such file'],
    ['an empty file', ['empty.json'], 'empty.json is empty.'],
    ['a file with half an object', ['half.json'], 'half.json is not JSON: '],
    ['a list', ['list.json'], 'list.json is not a JSON object, which a lead must be.'],
    ['a file that is not UTF-8', ['latin.json'], 'latin.json is not JSON: '],
    ['a file over 128 KB', ['large.json'], 'large.json has 131083 bytes; a lead can have up to 131072.'],
    ['an argument that lacks quotes', ['{name:Ada}'], 'The lead is not JSON: '],
    ['no lead', [], 'Pass a file, - for standard input, or the lead as JSON.'],
    ['a lead and a file', ['{}', '--file', 'list.json'], 'Pass a file, '],
  ])('%s', async (_what, words, sentence) => {
    const requests: unknown[] = [];
    const url = await stage((request, response) => {
      requests.push(request.url);
      response.end();
    });
    for (const [name, content] of Object.entries(files)) writeFileSync(join(scratch, name), content);
    const env = { ...withToken(), LEADGATE_URL: url };
    const { code, stdout, stderr } = await warmLeadgate(['lead', 'send', ...words], { env, cwd: scratch });
    closeStages();
    expect({ code, stdout, requests }).toEqual({ code: 2, stdout: '', requests: [] });
    expect(stderr).toMatch(/^[^\n]+\.\n$/);
    expect(stderr).toContain(sentence);
  });

  test('an empty standard input', async () => {
    const { code, stderr } = await leadgate(['lead', 'send', '-'], { env: withToken() });
    expect({ code, stderr }).toEqual({ code: 2, stderr: 'Standard input is empty.\n' });
  });
});

describe('after a rejection', () => {
  const lead = '{"email":"ada@example.com"}';
  beforeAll(() =>
    service.api('PATCH', `/workspaces/${sender.workspaceId}/forms/${sender.formId}`, { active: false }),
  );

  test('the operator key and an API key with diagnostics:read see the reason and its fix', async () => {
    const { key } = await createApiKey(service, sender.workspaceId, ['diagnostics:read']);
    const keyFile = join(scratch, 'key.txt');
    writeFileSync(keyFile, key);
    const shown = await operator(['lead', 'send', lead], { env: withToken() });
    expect(shown).toMatchObject({ code: 1, stderr: '1 of 1 leads were not accepted.\n' });
    expect(shown.stdout).toMatch(
      /^rejected request ID [0-9a-f-]{36}\n {2}form_inactive: \S.*\n {2}Fix: \S.*\n$/,
    );
    const words = ['lead', 'send', lead, '--json', '--key-file', keyFile];
    const { code, json } = await warmLeadgate(words, { env: withToken() });
    expect(code).toBe(1);
    expect(json).toMatchObject({
      status: 'rejected',
      reason: 'form_inactive',
      fix: expect.stringMatching(/\S/),
    });
  });

  test('the operator key sees the reason of a token that no workspace has', async () => {
    const env = withToken({ LEADGATE_TOKEN: mintToken('server') });
    const { json } = await operator(['lead', 'send', lead, '--json'], { env });
    expect(json).toMatchObject({ reason: 'token_unknown', fix: expect.stringMatching(/\S/) });
  });

  test('without a key that may know the reason, it says who can find it', async () => {
    const { key } = await createApiKey(service, sender.workspaceId, ['leads:read']);
    for (const more of [{ LEADGATE_KEY: key }, {}, { LEADGATE_KEY: 'not a key' }]) {
      const { code, json, stderr } = await warmLeadgate(['lead', 'send', lead, '--json'], {
        env: withToken(more),
      });
      expect(code).toBe(1);
      expect(json).toMatchObject({ status: 'rejected', reason: null, fix: null });
      expect(stderr).toContain('An owner finds the reason');
    }
  });

  test('a test lead of the service gets its reason too', async () => {
    const tried = await operator(['form', 'test', sender.slug, '--workspace', sender.workspaceId]);
    expect(tried.code).toBe(1);
    expect(tried.stderr).toContain('form_inactive: ');
  });
});
