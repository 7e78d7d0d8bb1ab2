import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConfig } from '../src/config.ts';
import { preparedDataDir, spawnService } from './support/command-line/process.ts';
import { eventually } from './support/diagnostics.ts';
import { createSender, post, rejectedBody, someLead } from './support/sender.ts';
import { startTestService, type TestService } from './support/service.ts';

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

async function metrics(key: string): Promise<Response> {
  return fetch(`${service.url}/metrics`, { headers: { Authorization: `Bearer ${key}` } });
}

test('a running service is alive and ready', async () => {
  expect((await fetch(`${service.url}/livez`)).status).toBe(200);
  expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
});

test('a query does not turn a probe into a page of the settings area', async () => {
  expect(await (await fetch(`${service.url}/livez?probe=1`)).text()).toBe('alive\n');
  expect(await (await fetch(`${service.url}/readyz?verbose`)).text()).toBe('ready\n');
  expect((await fetch(`${service.url}/metrics?name=x`)).status).toBe(401);
});

test('metrics are only for the operator', async () => {
  const refused = await metrics('wrong');
  expect(refused.status).toBe(401);
  expect(refused.headers.get('www-authenticate')).toBe('Bearer');
  expect((await metrics(service.operatorKey)).status).toBe(200);
});

test('the metrics token opens only /metrics, and the operator key still works', async () => {
  const token = 'a-token-for-prometheus-0123456789-abc';
  const scraped = await startTestService({
    databaseUrl: service.databaseUrl,
    env: { METRICS_TOKEN: token },
  });
  const call = (path: string, key: string) =>
    fetch(scraped.url + path, { headers: { Authorization: `Bearer ${key}` } });
  expect((await call('/metrics', token)).status).toBe(200);
  expect((await call('/metrics', scraped.operatorKey)).status).toBe(200);
  expect((await call('/metrics', `${token}x`)).status).toBe(401);
  expect((await call('/metrics', token.slice(0, -1))).status).toBe(401);
  for (const path of ['/api/v1/workspaces', '/api/v1/operator/health', '/api/v1/operator/audit']) {
    expect((await call(path, token)).status).toBe(401);
  }
  await scraped.stop();
});

test('a metrics token that is too short, or equals the operator key, is refused at the start', () => {
  const env = { DATA_DIR: 'unused', OPERATOR_KEY: 'k'.repeat(32), ENCRYPTION_KEY: 'e'.repeat(32) };
  expect(() => readConfig({ ...env, METRICS_TOKEN: 'short' })).toThrow(
    /METRICS_TOKEN: must have 32 characters/,
  );
  expect(() => readConfig({ ...env, METRICS_TOKEN: env.OPERATOR_KEY })).toThrow(
    /must differ from the operator key/,
  );
  expect(readConfig({ ...env, METRICS_TOKEN: 'm'.repeat(32) }).metricsToken).toBe('m'.repeat(32));
});

test('metrics count outcomes by reason and describe commits, queue and directory', async () => {
  const sender = await createSender(service);
  await post(service, sender, 'server');
  await post(service, sender, 'webhook', someLead, { secret: 'wrong' });
  const text = await (await metrics(service.operatorKey)).text();
  expect(text).toMatch(/leadgate_ingest_requests_total\{surface="server",outcome="accepted"\} 1/);
  expect(text).toMatch(/leadgate_ingest_requests_total\{surface="webhook",outcome="signature_mismatch"\} 1/);
  expect(text).toMatch(/leadgate_commit_batch_rows_count 1/);
  expect(text).toMatch(/leadgate_commit_duration_seconds_count 1/);
  expect(text).toMatch(/leadgate_commit_queue_depth 0/);
  expect(text).toMatch(/leadgate_directory_age_seconds [\d.]+/);
});

test('a service that accepts no leads closes their connections, so that senders go elsewhere', async () => {
  const manage = await startTestService({ databaseUrl: service.databaseUrl, env: { ROLE: 'manage' } });
  const sender = await createSender(manage);
  await expect(post(manage, sender, 'server')).rejects.toThrow();
  expect((await post(manage, sender, 'server', someLead, { path: '/api/ingest/x' })).status).toBe(410);
  await manage.stop();
});

test('a service that only accepts leads has no management API', async () => {
  const ingest = await startTestService({ databaseUrl: service.databaseUrl, env: { ROLE: 'ingest' } });
  const sender = await createSender(service);
  expect((await ingest.api('GET', '/workspaces')).status).toBe(404);
  const there = () => post(ingest, sender, 'server');
  expect((await eventually(there, ({ status }) => status === 202)).status).toBe(202);
  await ingest.stop();
});

test('the header prefix can be set', async () => {
  const own = await startTestService({ databaseUrl: service.databaseUrl, env: { HEADER_PREFIX: 'X-Acme-' } });
  const sender = await createSender(own);
  expect((await post(own, sender, 'webhook')).body).toBe(rejectedBody);
  const repeat = () =>
    post(own, sender, 'server', someLead, { headers: { 'X-Acme-Idempotency-Key': 'one' } });
  expect((await repeat()).body).toBe((await repeat()).body);
  await own.stop();
});

test('no body, token, signature or address is in any log line, and every line is JSON', async () => {
  const dataDir = preparedDataDir();
  const { child, ended, output } = spawnService({ DATA_DIR: dataDir.path, LOG_LEVEL: 'trace' });
  const text = await eventually(
    async () => output(),
    (shown) => shown.includes('Press Ctrl-C'),
  );
  const url = /is ready at (\S+)/.exec(text)?.[1] as string;
  const kept = readFileSync(join(dataDir.path, 'first-start.txt'), 'utf8');
  const token = /Bearer (ingt_srv_\w+)/.exec(kept)?.[1] as string;
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  const body = '{"email":"marker@private.example","note":"marker-in-body"}';
  expect((await fetch(`${url}/api/v1/ingest`, { method: 'POST', headers, body })).status).toBe(202);
  const signed = { ...headers, 'X-SVC-Timestamp': '1', 'X-SVC-Signature': 'marker-signature' };
  await fetch(`${url}/api/v1/ingest/website-contact`, {
    method: 'POST',
    headers: signed,
    body: `${body}broken`,
  });
  child.kill('SIGTERM');
  await ended;
  dataDir.remove();
  const logged = output().slice(text.length);
  expect(logged).toContain('ingest request');
  for (const secret of ['marker', token, 'private.example']) expect(logged).not.toContain(secret);
  const lines = logged.split('\n').filter((line) => line !== '' && line !== 'Stopping.');
  for (const line of lines) expect(() => JSON.parse(line)).not.toThrow();
});

test('the database contains no secrets or tokens in plain text', async () => {
  const sender = await createSender(service);
  const sql = `select string_agg(t::text, '') as all from (
    select tokens::text as t from tokens union all select webhook_secrets::text from webhook_secrets) x`;
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: service.databaseUrl });
  await client.connect();
  const { rows } = await client.query(sql);
  await client.end();
  expect(rows[0].all).not.toContain(sender.token);
  expect(rows[0].all).not.toContain(Buffer.from(sender.secret).toString('hex'));
});

test('a service whose settings area is not built says how to build it', async () => {
  const response = await fetch(service.url);
  expect(response.status).toBe(503);
  expect(await response.text()).toContain('npm run build:web');
});
