import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { leadsOf } from '../support/diagnostics.ts';
import { createSender, type Sender } from '../support/sender.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { type RelayProcess, relayFile, startRelay, typeformInit, webflowInit } from './relay-process.ts';

const typeformSecret = 'typeform-secret';
const webflowSecret = 'webflow-secret';

type Send = (path: string, init: RequestInit) => Promise<Response>;

let service: TestService;
let sender: Sender;
let relay: RelayProcess;
let worker: { fetch(request: Request, env: object): Promise<Response> };

beforeAll(async () => {
  service = await startTestService();
  sender = await createSender(service);
  worker = (await import(relayFile)).default;
  relay = await startRelay(settings());
});
afterAll(async () => {
  await relay.stop();
  await service.stop();
});

function settings(): Record<string, string> {
  return {
    LEADGATE_URL: service.url,
    LEADGATE_TOKEN: sender.token,
    TYPEFORM_SECRET: typeformSecret,
    WEBFLOW_SECRET: webflowSecret,
    RELAY_ORIGINS: 'https://www.example.com',
    RELAY_THANKS: 'https://www.example.com/thanks',
  };
}

const onNode: Send = (path, init) => fetch(relay.url + path, { ...init, redirect: 'manual' });
const asWorker: Send = (path, init) =>
  worker.fetch(new Request(`https://relay.example${path}`, init), settings());

async function leadWith(key: string, value: string) {
  const leads = await leadsOf(service, sender, '?limit=200');
  return leads.filter((lead: { fields: Record<string, unknown> }) => lead.fields[key] === value);
}

function typeformEvent(marker: string): string {
  return JSON.stringify({
    event_id: randomUUID(),
    event_type: 'form_response',
    form_response: {
      form_id: 'lT4Z3j',
      token: `token-${marker}`,
      hidden: { utm_source: 'newsletter' },
      definition: {
        fields: [
          { id: 'f1', title: 'Your e-mail', type: 'email', ref: 'email' },
          { id: 'f2', title: 'company', type: 'short_text', ref: '2e644ba6-3a52-4895-b100-b061c6af0331' },
          { id: 'f3', title: 'Topics', type: 'multiple_choice', ref: 'topics' },
        ],
      },
      answers: [
        { type: 'email', email: `${marker}@example.com`, field: { id: 'f1', type: 'email', ref: 'email' } },
        { type: 'text', text: 'Engines', field: { id: 'f2', ref: '2e644ba6-3a52-4895-b100-b061c6af0331' } },
        { type: 'choices', choices: { labels: ['Price', 'Demo'] }, field: { id: 'f3', ref: 'topics' } },
      ],
    },
  });
}

function submission(marker: string): string {
  const payload = { name: 'Contact', siteId: 's', data: { email: `${marker}@example.com` }, id: marker };
  return JSON.stringify({ triggerType: 'form_submission', payload });
}

function formInit(marker: string, origin = 'https://www.example.com'): RequestInit {
  const body = new URLSearchParams([
    ['email', `${marker}@example.com`],
    ['topic', 'Price'],
    ['topic', 'Demo'],
  ]);
  return { method: 'POST', headers: { origin }, body };
}

describe.each([
  ['on Node', onNode],
  ['as a worker', asWorker],
] as const)('the relay %s', (kind, send) => {
  const marker = (name: string) => `${name}-${kind.replaceAll(' ', '-').toLowerCase()}`;

  test('stores a plain HTML form once for two clicks, and redirects the browser', async () => {
    const first = await send('/form', formInit(marker('form')));
    expect([first.status, first.headers.get('location')]).toEqual([303, 'https://www.example.com/thanks']);
    expect((await send('/form', formInit(marker('form')))).status).toBe(303);
    const found = await leadWith('email', `${marker('form')}@example.com`);
    expect(found).toHaveLength(1);
    expect(found[0].fields).toMatchObject({ topic: 'Price, Demo' });
  });

  test('accepts forms with files, and stores their names', async () => {
    const body = new FormData();
    body.set('email', `${marker('upload')}@example.com`);
    body.set('plan', new Blob(['x'.repeat(1000)]), 'plan.pdf');
    const headers = { origin: 'https://www.example.com' };
    expect((await send('/form', { method: 'POST', headers, body })).status).toBe(303);
    expect((await leadWith('plan', 'plan.pdf')).length).toBeGreaterThan(0);
  });

  test('rejects forms from an origin that is not on the list', async () => {
    expect((await send('/form', formInit(marker('foreign'), 'https://evil.example'))).status).toBe(403);
    expect(await leadWith('email', `${marker('foreign')}@example.com`)).toEqual([]);
  });

  test('flattens a Typeform response, and stores a retry once', async () => {
    const init = typeformInit(typeformEvent(marker('typeform')), typeformSecret);
    expect((await send('/typeform', init)).status).toBe(200);
    expect((await send('/typeform', init)).status).toBe(200);
    const found = await leadWith('email', `${marker('typeform')}@example.com`);
    expect(found).toHaveLength(1);
    expect(found[0].fields).toMatchObject({
      company: 'Engines',
      topics: 'Price, Demo',
      utm_source: 'newsletter',
    });
  });

  test('stores nothing without a valid signature of Typeform or Webflow', async () => {
    expect((await send('/typeform', typeformInit(typeformEvent(marker('forged')), 'other'))).status).toBe(
      401,
    );
    expect((await send('/webflow', webflowInit(submission(marker('forged')), 'other'))).status).toBe(401);
    const yesterday = Date.now() - 24 * 60 * 60 * 1000;
    expect(
      (await send('/webflow', webflowInit(submission(marker('forged')), webflowSecret, yesterday))).status,
    ).toBe(401);
    expect(await leadWith('email', `${marker('forged')}@example.com`)).toEqual([]);
  });

  test('stores a Webflow form', async () => {
    expect((await send('/webflow', webflowInit(submission(marker('webflow')), webflowSecret))).status).toBe(
      200,
    );
    const found = await leadWith('email', `${marker('webflow')}@example.com`);
    expect(found).toMatchObject([{ surface: 'server', fields: { webflow_form: 'Contact' } }]);
  });

  test('rejects bodies that are too large, and other paths and methods', async () => {
    const body = new URLSearchParams({ text: 'x'.repeat(140_000) });
    expect((await send('/form', { method: 'POST', body })).status).toBe(413);
    expect((await send('/other', { method: 'POST' })).status).toBe(404);
    expect((await send('/form', { method: 'GET' })).status).toBe(404);
  });
});

test('a lead that Leadgate rejects never gets a 200', async () => {
  const env = { ...settings(), LEADGATE_TOKEN: 'ingt_srv_wrong' };
  const call = (path: string, init: RequestInit) =>
    worker.fetch(new Request(`https://relay.example${path}`, init), env);
  expect((await call('/form', formInit('rejected'))).status).toBe(503);
  expect((await call('/webflow', webflowInit(submission('rejected'), webflowSecret))).status).toBe(503);
});
