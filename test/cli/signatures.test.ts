import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sign } from '../../src/domain/signature.ts';
import { leadgate, operatorOf, warmLeadgate } from '../support/command-line/command-line.ts';
import { diagnosticsOf, eventually } from '../support/diagnostics.ts';
import { createSender, post, type Sender, someLead } from '../support/sender.ts';
import { startTestService, type TestService } from '../support/service.ts';

let service: TestService;
let sender: Sender;

beforeAll(async () => {
  service = await startTestService();
  sender = await createSender(service);
});
afterAll(async () => {
  await service.stop();
  rmSync(scratch, { recursive: true, force: true });
});

const scratch = mkdtempSync(join(tmpdir(), 'leadgate-test-'));

/** A file with a request, for commands that share a process and so have no input. */
function requestFile(text: string): string {
  const path = join(scratch, 'request.txt');
  writeFileSync(path, text);
  return path;
}

test('sign prints the headers of the documented vector, and nothing of the secret', async () => {
  const result = await leadgate(['sign', '-', '--timestamp', '1750000000'], {
    env: { LEADGATE_SECRET: 'whsec_test' },
    input: '{"email":"ada@example.com"}',
  });
  expect(result).toMatchObject({ code: 0, stderr: '' });
  expect(result.stdout).toContain(
    'X-SVC-Signature: 944edad83be510e9f6188f30f9c064ad180df68261c3bddf7a7723d62138f264',
  );
  expect(result.stdout).not.toContain('whsec_test');
});

test('the curl that sign prints is accepted as pasted', async () => {
  const env = { LEADGATE_SECRET: sender.secret, LEADGATE_URL: service.url };
  const input = `{"name":"Ada O'Hara","email":"ada@example.com"}\n`;
  const { json } = await leadgate(['sign', '-', '--slug', sender.slug, '--json'], { env, input });
  const { stdout } = await promisify(execFile)('sh', ['-c', json.curl]);
  expect(JSON.parse(stdout)).toEqual({ submission_id: expect.any(String) });
});

function rawRequest(signature: string, timestamp: string): string {
  return [
    `POST /api/v1/ingest/${sender.slug} HTTP/1.1`,
    'Content-Type: application/json',
    `X-SVC-Timestamp: ${timestamp}`,
    `X-SVC-Signature: ${signature}`,
    `Content-Length: ${Buffer.byteLength(someLead)}`,
    '',
    someLead,
  ].join('\r\n');
}

function signed(secret: string): string {
  const timestamp = String(Math.floor(service.clock.now() / 1000));
  return rawRequest(sign(secret, timestamp, Buffer.from(someLead)).toString('hex'), timestamp);
}

test('diagnose passes a good request offline, and names the mistake of a bad one with exit code 1', async () => {
  const env = { LEADGATE_SECRET: sender.secret };
  const good = await leadgate(['diagnose', '-'], { env, input: signed(sender.secret) });
  expect(good).toMatchObject({ code: 0, stderr: '' });
  expect(good.stdout).toMatch(/^Valid/);
  const input = signed(`${sender.secret}\n`);
  const bad = await leadgate(['diagnose', '--language', 'python'], { env, input });
  expect(bad.code).toBe(1);
  expect(bad.stdout).toContain('secret_whitespace');
  expect(bad.stdout).toContain('os.environ');
  const asJson = await warmLeadgate(['diagnose', requestFile(input), '--json'], { env });
  expect(asJson.json).toMatchObject({ valid: false, mistake: { code: 'secret_whitespace' } });
  expect(bad.stdout + asJson.stdout).not.toContain(sender.secret);
});

test('diagnose shows a line break in the string to sign only by its name', async () => {
  const env = { LEADGATE_SECRET: sender.secret };
  const input = rawRequest('0'.repeat(64), '1').replace(someLead, '{\n}');
  const { stdout } = await warmLeadgate(['diagnose', requestFile(input)], { env });
  expect(stdout).toContain('1.{⟨LF⟩}');
});

test('diagnose asks a running service about a paste and about a rejection, without knowing the secret', async () => {
  const operator = operatorOf(service);
  const at = ['--form', sender.slug, '--workspace', sender.workspaceId, '--json'];
  const pasted = await operator(['diagnose', requestFile(signed(sender.slug)), ...at]);
  expect(pasted.json).toMatchObject({ source: 'raw_request', mistake: { code: 'secret_is_identifier' } });
  await post(service, sender, 'webhook', someLead, { secret: sender.formId });
  const { items } = await eventually(
    () => diagnosticsOf(service, sender, '?reason=signature_mismatch'),
    (found) => found.items.length > 0,
  );
  // The request is written a moment after its rejection.
  const recorded = await eventually(
    () => operator(['diagnose', '--rejection', items[0].id, ...at]),
    ({ code }) => code !== 5,
  );
  expect(recorded).toMatchObject({ code: 1 });
  expect(recorded.json).toMatchObject({ source: 'rejection', mistake: { code: 'secret_is_identifier' } });
});

test('input that is not a request is a usage error', async () => {
  const env = { LEADGATE_SECRET: sender.secret };
  const input = "curl -F 'a=b' http://localhost/";
  const result = await warmLeadgate(['diagnose', requestFile(input)], { env });
  expect(result).toMatchObject({ code: 2, stdout: '' });
  expect((await warmLeadgate(['diagnose', '/nowhere/request.txt'], { env })).code).toBe(2);
});
