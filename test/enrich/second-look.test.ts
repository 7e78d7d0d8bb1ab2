import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { eventually } from '../support/diagnostics.ts';
import { createSender } from '../support/sender.ts';
import { LookupWorld, outcomes } from './lookup-world.ts';

// Each test waits for several rounds of jobs, which are slow on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const world = new LookupWorld();
beforeAll(() => world.start());
beforeEach(() => world.reset());
afterAll(() => world.stop());

const server = 'mail.wabblywabble.com';
const code = 'EMAIL_DISPOSABLE_MX';
const person = { name: 'Ada Lovelace', message: 'Could you send us an offer for twenty seats, please?' };

/** A domain on no list, whose mail server belongs to a disposable email service. */
function throwAwayDomain(exchange = server): string {
  const domain = world.newDomain();
  const zone = world.internet.names.zones.get(domain);
  world.internet.names.zones.set(domain, { ...zone, mx: [{ exchange, priority: 10 }] });
  return domain;
}

const read = async (path: string) => (await world.service.api('GET', path)).json;
const historyOf = async (path: string) => (await world.service.api('GET', `${path}/history`)).json.items;
const settled = (path: string) => world.enrichmentOf(path, (found) => outcomes(found).mx === 'found');
const until = (path: string, isThere: (lead: Awaited<ReturnType<typeof read>>) => boolean) =>
  eventually(() => read(path), isThere, 20_000);
const pointsOf = (lead: { reasons: { points: number }[] }) =>
  lead.reasons.reduce((sum, { points }) => sum + points, 0);

async function setScoring(change: object): Promise<void> {
  const { workspaceId, formId } = world.sender;
  const path = `/workspaces/${workspaceId}/forms/${formId}/scoring`;
  const { settings } = (await world.service.api('GET', path)).json;
  const { status, json } = await world.service.api('PUT', path, { settings: { ...settings, ...change } });
  expect(status, JSON.stringify(json)).toBe(200);
}

/** Waits until no job is running or due soon. */
async function idle(): Promise<void> {
  const waiting = `select (select count(*) from graphile_worker._private_jobs where run_at <= now())
    + (select count(*) from enrichment_outbox) as count`;
  const count = async () => Number((await world.database.query(waiting)).rows[0].count);
  expect(await eventually(count, (jobs) => jobs === 0, 20_000)).toBe(0);
}

test('a clean lead whose mail server belongs to a disposable email service becomes suspect, with a reason that adds up', async () => {
  const path = await world.lead({ ...person, email: `ada@${throwAwayDomain()}` });
  const lead = await until(path, ({ verdict }) => verdict !== 'clean');
  expect(lead).toMatchObject({ verdict: 'suspect', scored_verdict: 'suspect', mark: null });
  expect(lead.reasons).toContainEqual(
    expect.objectContaining({ code, field: 'email', evidence: server, axis: 'risk', points: 35 }),
  );
  expect(pointsOf(lead)).toBe(lead.risk);
  expect(lead.merits.map((merit: { code: string }) => merit.code)).toContain('FIT_DISPOSABLE');
  expect(lead.merits.map((merit: { code: string }) => merit.code)).not.toContain('FIT_BUSINESS_DOMAIN');
  const { fit, intent, risk } = lead;
  expect(lead.score).toBe(Math.round((0.6 * fit + 0.4 * intent) * (1 - risk / 140)));
});

test('the class of the address changes too, with the earlier one as an alternative', async () => {
  const path = await world.lead({ ...person, email: `ada@${throwAwayDomain()}` });
  const { email, provenance } = await settled(path);
  expect(email).toMatchObject({ class: 'disposable_likely', mail_server: server, deliverability: 'likely' });
  expect(provenance['email.class']).toMatchObject({
    provider: 'mx',
    method: 'dns',
    alternatives: [expect.objectContaining({ value: 'business', provider: 'email_domain' })],
  });
});

test('the owner sees when and why the verdict changed, and what it was before', async () => {
  const path = await world.lead({ ...person, email: `ada@${throwAwayDomain()}` });
  const lead = await until(path, ({ verdict }) => verdict === 'suspect');
  const at = new Date(world.clock.now()).toISOString();
  expect(lead.second_look).toEqual({
    at,
    provider: 'mx',
    verdict_before: 'clean',
    risk_before: lead.risk - 35,
  });
  const history = await historyOf(path);
  const look = history.find(({ kind }: { kind: string }) => kind === 'looked_again');
  const scored = history.find(({ kind }: { kind: string }) => kind === 'scored');
  expect(look).toMatchObject({ at, provider: 'mx', verdict: 'suspect', risk: lead.risk, score: lead.score });
  expect(look.before).toMatchObject({ verdict: 'clean', risk: lead.risk - 35 });
  expect(scored).toMatchObject(look.before);
  expect(scored.score).toBeGreaterThan(lead.score);
  expect(history.indexOf(look)).toBeLessThan(history.indexOf(scored));
});

test('a lead that became suspect keeps its results, and neither its site nor the external provider is asked', async () => {
  world.internet.addHost('api.spared-owner.com');
  await world.setProvider(world.sender, 'https://api.spared-owner.com/');
  const domain = throwAwayDomain();
  const path = await world.lead({ ...person, email: `ada@${domain}` });
  await until(path, ({ verdict }) => verdict === 'suspect');
  await idle();
  const { enrichment } = await read(path);
  expect(outcomes(enrichment)).toEqual({ mx: 'found', site: 'skip', external: 'skip' });
  expect(enrichment.providers).toContainEqual(
    expect.objectContaining({ id: 'external', outcome: 'skip', why: 'policy' }),
  );
  expect(enrichment.person.first_name).toBe('Ada');
  const hosts = world.internet.requests.map(({ host }) => host);
  expect(hosts).not.toContain('api.spared-owner.com');
  expect(hosts).not.toContain(domain);
});

test('lookups continue for a lead that its owner releases', async () => {
  world.internet.addHost('api.release-owner.com');
  await world.setProvider(world.sender, 'https://api.release-owner.com/');
  world.internet.handler = (request, response) =>
    request.headers.host === 'api.release-owner.com'
      ? response.writeHead(200, { 'content-type': 'application/json' }).end('{"industry":"Tools"}')
      : response.writeHead(404).end();
  const path = await world.lead({ ...person, email: `ada@${throwAwayDomain()}` });
  await until(path, ({ verdict }) => verdict === 'suspect');
  await world.service.api('PUT', `${path}/mark`, { mark: 'not_spam' });
  const found = await world.enrichmentOf(path, (seen) => outcomes(seen).external === 'found');
  expect(found.company.industry).toBe('Tools');
  expect(await read(path)).toMatchObject({ verdict: 'clean', scored_verdict: 'suspect' });
});

test('a mark by an owner always wins over the mail server', async () => {
  const domain = throwAwayDomain();
  world.internet.names.failing.add(domain);
  const path = await world.lead({ ...person, email: `ada@${domain}` });
  await world.enrichmentOf(path, (found) => outcomes(found).mx === 'retry');
  await world.service.api('PUT', `${path}/mark`, { mark: 'not_spam' });
  world.internet.names.failing.delete(domain);
  world.clock.advance(60_000);
  await world.skipWaiting();
  await settled(path);
  await idle();
  const marked = await read(path);
  expect(marked).toMatchObject({ verdict: 'clean', scored_verdict: 'clean', second_look: null });
  expect(marked.reasons.map((reason: { code: string }) => reason.code)).not.toContain(code);
  // What was skipped because of the mark is done once the mark is removed.
  await world.service.api('PUT', `${path}/mark`, { mark: null });
  expect(await until(path, ({ verdict }) => verdict === 'suspect')).toMatchObject({ mark: null });
});

test.each([
  ['turned the rule off', { disabled: [code] }],
  ['gives the rule no points', { weights: { [code]: 0 } }],
])('a form that %s keeps its leads clean', async (_, change) => {
  await setScoring(change);
  const path = await world.lead({ ...person, email: `ada@${throwAwayDomain()}` });
  await settled(path);
  await idle();
  expect(await read(path)).toMatchObject({ verdict: 'clean', second_look: null });
});

test('a sender on the allow list of the form stays clean', async () => {
  const domain = throwAwayDomain();
  await setScoring({ allow: { emails: [], domains: [domain] } });
  const path = await world.lead({ ...person, email: `ada@${domain}` });
  expect((await settled(path)).email.class).toBe('disposable_likely');
  await idle();
  expect(await read(path)).toMatchObject({ verdict: 'clean', second_look: null });
});

test('a form that gives the rule few points lists the reason and applies its thresholds', async () => {
  await setScoring({ weights: { [code]: 7 } });
  const path = await world.lead({ ...person, email: `ada@${throwAwayDomain()}` });
  const lead = await until(path, ({ second_look }) => second_look !== null);
  expect(lead.verdict).toBe('clean');
  expect(lead.reasons).toContainEqual(expect.objectContaining({ code, points: 7 }));
  expect(pointsOf(lead)).toBe(lead.risk);
});

test('repeating a second look changes nothing', async () => {
  const path = await world.lead({ ...person, email: `ada@${throwAwayDomain()}` });
  await until(path, ({ verdict }) => verdict === 'suspect');
  await idle();
  const first = await read(path);
  world.clock.advance(1_000);
  await world.repeatJobs(path);
  await idle();
  const { enrichment: again, ...second } = await read(path);
  const { enrichment: before, ...rest } = first;
  expect(second).toEqual(rest);
  expect({ ...again, enriched_at: '' }).toEqual({ ...before, enriched_at: '' });
});

test('a domain that declares that it accepts no email is undeliverable, and its leads stay clean', async () => {
  const path = await world.lead({ ...person, email: `ada@${throwAwayDomain('')}` });
  const { email } = await settled(path);
  expect(email).toMatchObject({ deliverability: 'undeliverable', class: 'business' });
  expect(email).not.toHaveProperty('mail_server');
  expect(await read(path)).toMatchObject({ verdict: 'clean', second_look: null });
});

test('an erased lead leaves no trace of its second look', async () => {
  const path = await world.lead({ ...person, email: `ada@${throwAwayDomain()}` });
  await until(path, ({ verdict }) => verdict === 'suspect');
  expect((await world.service.api('DELETE', path)).status).toBe(204);
  const { rows } = await world.database.query('select 1 from lead_second_looks where submission_id = $1', [
    path.split('/').at(-1),
  ]);
  expect(rows).toEqual([]);
});

test('what DNS said about a domain counts for its next leads when they come in, in every workspace, until it changes', async () => {
  const domain = throwAwayDomain();
  const first = await world.lead({ ...person, email: `ada@${domain}` });
  await until(first, ({ verdict }) => verdict === 'suspect');
  world.sender = await createSender(world.service);
  let sent = 0;
  const sendOne = async () =>
    read(
      await world.lead({ ...person, name: 'Bo Berg', email: `bo${++sent}@${domain}`, note: `Lead ${sent}` }),
    );
  const lead = await eventually(
    sendOne,
    ({ reasons }) => reasons.some((reason: { code: string }) => reason.code === code),
    40_000,
  );
  expect(lead.verdict).toBe('suspect');
  expect(lead.second_look).toBeNull();
  expect(lead.reasons).toContainEqual(
    expect.objectContaining({ code, field: 'email', evidence: server, points: 35 }),
  );
  expect(lead.merits.map((merit: { code: string }) => merit.code)).not.toContain('FIT_BUSINESS_DOMAIN');

  const zone = world.internet.names.zones.get(domain);
  world.internet.names.zones.set(domain, { ...zone, mx: [{ exchange: 'mail.acme.com', priority: 10 }] });
  world.clock.advance(25 * 3_600_000);
  await setScoring({ weights: { [code]: 1 } });
  await world.lead({ ...person, email: `cy@${domain}` });
  const learned = () => world.database.query('select 1 from learned_domains where domain = $1', [domain]);
  expect((await eventually(learned, ({ rowCount }) => rowCount === 0, 20_000)).rowCount).toBe(0);
});
