import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { leadgate, operatorOf } from '../support/command-line/command-line.ts';
import { eventually, leadsOf } from '../support/diagnostics.ts';
import { createSender, post, type Sender, someLead, submissionIdOf } from '../support/sender.ts';
import { operatorKey, startTestService, type TestService } from '../support/service.ts';
import { rowsOf } from '../support/workbook.ts';

let service: TestService;
let sender: Sender;
let operator: ReturnType<typeof operatorOf>;
const scratch = mkdtempSync(join(tmpdir(), 'leadgate-test-'));

beforeAll(async () => {
  service = await startTestService();
  sender = await createSender(service);
  operator = operatorOf(service);
});
afterAll(async () => {
  await service.stop();
  rmSync(scratch, { recursive: true, force: true });
});

const inWorkspace = () => ['--workspace', sender.workspaceId];

describe('workspaces', () => {
  test('a created workspace is listed, in a table without colour and as JSON', async () => {
    const made = await operator(['workspace', 'create', 'Engines']);
    expect(made).toMatchObject({ code: 0, stderr: '' });
    const id = made.stdout.trim();
    const table = await operator(['workspace', 'list']);
    expect(table.stdout).toMatch(/^ID +NAME +STATUS\n/);
    expect(table.stdout).toMatch(new RegExp(`^${id} +Engines +active$`, 'm'));
    expect(table.stdout).not.toContain('\x1b');
    const { json } = await operator(['workspace', 'list', '--json']);
    expect(json).toContainEqual(expect.objectContaining({ id, name: 'Engines', status: 'active' }));
  });

  test('a suspended workspace accepts no leads until it is resumed', async () => {
    const own = await createSender(service);
    const suspended = await operator([
      'workspace',
      'suspend',
      own.workspaceId,
      '--reason',
      'unpaid',
      '--json',
    ]);
    expect(suspended.json).toMatchObject({ status: 'suspended', suspension: { reason: 'unpaid' } });
    expect((await post(service, own, 'server')).status).toBe(200);
    expect((await operator(['workspace', 'resume', own.workspaceId])).code).toBe(0);
    expect((await post(service, own, 'server')).status).toBe(202);
  });

  test('with several workspaces, commands ask which one is meant', async () => {
    await createSender(service);
    const result = await operator(['form', 'list']);
    expect(result).toMatchObject({ code: 2, stdout: '' });
    expect(result.stderr).toContain('--workspace');
  });
});

describe('forms', () => {
  test('a form is created, changed, tested and deleted', async () => {
    const made = await operator(['form', 'create', 'From the shell', ...inWorkspace()]);
    expect(made.stderr).toContain('from-the-shell');
    const id = made.stdout.trim();
    await operator(['secret', 'rotate', id, ...inWorkspace()]);
    const tested = await operator(['form', 'test', 'from-the-shell', ...inWorkspace(), '--json']);
    expect(tested.json).toMatchObject({ status: 202, submission_id: expect.any(String) });
    const changed = await operator(['form', 'update', id, '--inactive', '--json', ...inWorkspace()]);
    expect(changed.json).toMatchObject({ id, active: false });
    expect((await operator(['form', 'test', id, ...inWorkspace()])).code).toBe(1);
    expect((await operator(['form', 'delete', id, '--yes', ...inWorkspace()])).code).toBe(0);
    const { json } = await operator(['form', 'list', '--json', ...inWorkspace()]);
    expect(json.map((form: { id: string }) => form.id)).toEqual([sender.formId]);
  });

  test('web pages are enabled for the origins that are named, and what is not named stays', async () => {
    const browser = (...more: string[]) =>
      operator(['form', 'browser', sender.slug, '--json', ...more, ...inWorkspace()]);
    expect((await browser()).json.enabled).toBe(false);
    const origins = ['https://www.example.com', 'https://*.example.org'];
    const { json } = await browser('--enable', '--origin', ...origins);
    expect([json.enabled, json.origins]).toEqual([true, origins]);
    expect((await browser('--disable')).json).toEqual({ ...json, enabled: false });
  });

  test('a slug that is taken exits with 6 and suggests an available one, once', async () => {
    const result = await operator(['form', 'create', 'Second', '--slug', sender.slug, ...inWorkspace()]);
    expect(result).toMatchObject({ code: 6, stdout: '' });
    expect(result.stderr.split(`${sender.slug}-2`)).toHaveLength(2);
  });

  test('a former slug is listed, found and released; with several holders --workspace is required', async () => {
    const [own, other] = [await createSender(service), await createSender(service)];
    const share = { slug: own.slug, allow_shared_slug: true };
    await service.api('PATCH', `/workspaces/${other.workspaceId}/forms/${other.formId}`, share);
    for (const { workspaceId, formId } of [own, other]) {
      expect((await operator(['form', 'delete', formId, '--yes', '--workspace', workspaceId])).code).toBe(0);
    }
    const listed = await operator(['slug', 'list', '--workspace', own.workspaceId]);
    expect(listed.stdout).toMatch(new RegExp(`^${own.slug} +\\S+ +${own.formId} +-$`, 'm'));
    const found = await operator(['slug', 'find', own.slug, '--json']);
    expect(found.json.map((item: { workspace_id: string }) => item.workspace_id).sort()).toEqual(
      [own.workspaceId, other.workspaceId].sort(),
    );
    expect((await operator(['slug', 'release', own.slug, '--yes'])).code).toBe(2);
    const released = await operator([
      'slug',
      'release',
      own.slug,
      '-w',
      other.workspaceId,
      '--reason',
      'unused',
      '--yes',
    ]);
    expect(released.code).toBe(0);
    expect((await operator(['slug', 'release', own.slug, '--yes'])).code).toBe(0);
    expect((await operator(['slug', 'release', own.slug, '--yes'])).code).toBe(5);
  });
});

describe('tokens and secrets', () => {
  test('a token is printed alone, sends leads, and sends none after it is revoked', async () => {
    const made = await operator(['token', 'create', 'Shell', '--form', sender.slug, ...inWorkspace()]);
    expect(made.stdout).toMatch(/^ingt_srv_\w{38}\n$/);
    const env = { LEADGATE_TOKEN: made.stdout.trim() };
    expect((await operator(['lead', 'send', someLead], { env })).stdout).toMatch(
      /^accepted [0-9a-f-]{36}\n$/,
    );
    expect((await operator(['token', 'revoke', 'Shell', '--yes', ...inWorkspace()])).code).toBe(0);
    const refused = await operator(['lead', 'send', someLead, '--json'], { env });
    expect(refused.code).toBe(1);
    expect(refused.json).toMatchObject({ status: 'rejected', request_id: expect.any(String) });
    const { stdout } = await operator(['token', 'list', ...inWorkspace()]);
    expect(stdout).toMatch(/Shell .* revoked/);
    expect(stdout).not.toContain(env.LEADGATE_TOKEN);
  });

  test('the previous secret is valid during the overlap of a rotation, and not after its end', async () => {
    const own = await createSender(service);
    const at = ['--workspace', own.workspaceId];
    const send = (secret: string) =>
      operator(['lead', 'send', '--slug', own.slug, someLead], { env: { LEADGATE_SECRET: secret } });
    const env = { LEADGATE_SECRET: 'a secret of our own' };
    const set = await operator(['secret', 'set', own.slug, ...at], { env });
    expect(set.code).toBe(0);
    expect(set.stdout + set.stderr).not.toContain(env.LEADGATE_SECRET);
    const rotated = await operator(['secret', 'rotate', own.slug, '--overlap', '1h', ...at]);
    expect(rotated.stdout).toMatch(/^lgs_\S+\n$/);
    expect((await send(env.LEADGATE_SECRET)).code).toBe(0);
    expect((await send(rotated.stdout.trim())).code).toBe(0);
    expect((await operator(['secret', 'end', own.slug, '--yes', ...at])).code).toBe(0);
    expect((await send(env.LEADGATE_SECRET)).code).toBe(1);
    expect((await send(rotated.stdout.trim())).code).toBe(0);
  });

  test('a weak secret is refused with the reason, and not printed', async () => {
    const env = { LEADGATE_SECRET: 'aaaabbbbcccc' };
    const set = await operator(['secret', 'set', sender.slug, ...inWorkspace()], { env });
    expect(set.code).not.toBe(0);
    expect(set.stderr).toContain('secret: must have at least 6 different characters');
    expect(set.stdout + set.stderr).not.toContain(env.LEADGATE_SECRET);
  });

  test('without a terminal, a secret that is not in the environment gets an error, not a prompt', async () => {
    const result = await operator(['secret', 'set', sender.slug, ...inWorkspace()]);
    expect(result).toMatchObject({ code: 2, stdout: '' });
    expect(result.stderr).toContain('LEADGATE_SECRET');
  });
});

describe('leads', () => {
  test('a file with a lead per line is stored once, even if it is sent again', async () => {
    const own = await createSender(service);
    const file = join(scratch, 'leads.ndjson');
    const leads = Array.from({ length: 30 }, (_, row) => ({ row, email: `ada${row}@example.com` }));
    writeFileSync(file, leads.map((lead) => `${JSON.stringify(lead)}\n`).join('\n'));
    const words = ['lead', 'send', '--file', file, '--lines', '--idempotency-key', 'import 1', '--json'];
    const [first, second] = [
      await operator(words, { env: { LEADGATE_TOKEN: own.token } }),
      await operator(words, { env: { LEADGATE_TOKEN: own.token } }),
    ];
    const ids = (text: string) =>
      text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).submission_id);
    expect(ids(first.stdout)).toHaveLength(30);
    expect(ids(second.stdout)).toEqual(ids(first.stdout));
    expect(await leadsOf(service, own, '?limit=200')).toHaveLength(30);
    const listed = await operator(['lead', 'list', '--workspace', own.workspaceId, '--limit', '7', '--json']);
    expect(listed.json).toHaveLength(7);
  });

  test('what a sender puts in a lead cannot control the terminal of the person who lists it', async () => {
    const own = await createSender(service);
    await post(service, own, 'server', JSON.stringify({ name: 'a\u001b[31mred\u001b]0;title\u0007' }));
    const { stdout } = await operator(['lead', 'list', '--workspace', own.workspaceId]);
    expect(stdout).toContain('red');
    expect(stdout).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f]/);
  });

  test('a list names nested values and shows none of them; a single lead shows them', async () => {
    const own = await createSender(service);
    const answer = await post(
      service,
      own,
      'server',
      '{"name":"Ada","plan":null,"items":[{"sku":1}],"tags":[],"size":{}}',
    );
    const words = ['--workspace', own.workspaceId];
    const { stdout } = await operator(['lead', 'list', ...words]);
    expect(stdout).toMatch(/ name=Ada plan=null size=… tags=… items=…\n$/);
    const shown = await operator(['lead', 'get', submissionIdOf(answer), ...words]);
    expect(shown.stdout).toContain('items: [{"sku":1}]');
  });

  test('an export is only data on standard output, or a new file', async () => {
    const own = await createSender(service);
    await post(service, own, 'server');
    const words = ['lead', 'export', '--workspace', own.workspaceId];
    const csv = await operator(words);
    expect(csv.stderr).toBe('');
    expect(csv.stdout).toMatch(/^"submission_id","received_at",.*\r?\n/);
    const file = join(scratch, 'leads.out');
    const written = await operator([...words, '--format', 'ndjson', '--output', file]);
    expect(written).toMatchObject({ code: 0, stdout: '' });
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ fields: { name: 'Ada Lovelace' } });
    expect((await operator([...words, '--output', file])).code).toBe(6);
    const workbook = join(scratch, 'leads.xlsx');
    expect((await operator([...words, '--format', 'xlsx', '--output', workbook])).code).toBe(0);
    expect(rowsOf(readFileSync(workbook))[1]).toContain('Ada Lovelace');
  });

  test('an export with --json is one JSON document, even without leads and to a file', async () => {
    const own = await createSender(service);
    const words = ['lead', 'export', '--workspace', own.workspaceId, '--json'];
    expect((await operator(words)).json).toEqual([]);
    for (let row = 0; row < 3; row++) await post(service, own, 'server', JSON.stringify({ row }));
    // Enrichment comes a moment later, and would make two exports differ.
    await eventually(
      () => leadsOf(service, own),
      (leads) => leads.every(({ enrichment }) => enrichment !== null),
    );
    const { json, stderr } = await operator(words);
    // Those of one millisecond are in no order that a test could know.
    const rows = json.map(({ fields }: { fields: { row: number } }) => fields.row);
    expect(rows.sort()).toEqual([0, 1, 2]);
    expect(stderr).toBe('');
    const file = join(scratch, 'leads.json');
    expect(await operator([...words, '--output', file])).toMatchObject({ code: 0, stdout: '' });
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(json);
    expect((await operator([...words, '--format', 'json'])).json).toEqual(json);
    expect(await operator([...words, '--format', 'csv'])).toMatchObject({ code: 2, stdout: '' });
  });

  test('a lead is shown by its id, as text and as JSON', async () => {
    const own = await createSender(service);
    const id = submissionIdOf(await post(service, own, 'server', '{"name":"Ada","note":"one\\nScore: two"}'));
    const words = ['lead', 'get', id, '--workspace', own.workspaceId];
    const { stdout } = await operator(words);
    expect(stdout).toContain(`Id        ${id}`);
    expect(stdout).toContain(`Form      ${own.slug} (${own.formId})`);
    expect(stdout).toContain('  note: one\n      Score: two\n');
    expect((await operator([...words, '--json'])).json).toMatchObject({
      submission_id: id,
      fields: { name: 'Ada' },
    });
    const elsewhere = ['lead', 'get', id, ...inWorkspace()];
    expect(await operator(elsewhere)).toMatchObject({ code: 5, stdout: '' });
    expect((await operator(['lead', 'get', '../forms', ...inWorkspace()])).code).toBe(2);
  });
});

test('the key may come from a file, or from the data directory for a service on this machine, and no other URL gets it', async () => {
  const { port } = new URL(service.url);
  const keyFile = join(scratch, 'operator.key');
  writeFileSync(keyFile, `${operatorKey}\n`);
  const byFile = { env: { LEADGATE_URL: service.url } };
  expect((await leadgate(['workspace', 'list', '--key-file', keyFile], byFile)).code).toBe(0);
  expect((await leadgate(['workspace', 'list'], { env: { PORT: port, DATA_DIR: scratch } })).code).toBe(0);
  const elsewhere = { LEADGATE_URL: service.url, DATA_DIR: scratch };
  expect((await leadgate(['workspace', 'list'], { env: elsewhere })).code).toBe(4);
});
