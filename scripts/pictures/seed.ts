import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { sign } from '../../src/domain/signature.ts';
import { shardOf } from '../../src/domain/workspace.ts';
import { hourMs, minuteMs } from '../../src/time/clock.ts';
import type { PictureWorld } from './world.ts';

/** What the pictures show: two forms, some leads of each verdict, some rejections, and a day of traffic. */
export interface Seeded {
  readonly formId: string;
  readonly leadId: string;
}

const people = [
  [
    'Ada Lovelace',
    'ada@analytical-engines.co.uk',
    'Analytical Engines',
    'We need twelve dinghies by May, budget is set.',
  ],
  [
    'Grace Hopper',
    'grace.hopper@compilers.example.org',
    'Compilers Inc',
    'Please send a quote for two harbour launches.',
  ],
  ['Joan Clarke', 'joan@huteight.co.uk', 'Hut Eight', 'Can somebody call me about a demo this week?'],
  [
    'Edsger Dijkstra',
    'edsger@shortestpath.nl',
    'Shortest Path BV',
    'Looking for a partner for our ferry line.',
  ],
  ['Katherine Johnson', 'kj@orbits.example.com', 'Orbits', 'How long is the delivery time at present?'],
  ['Test Test', 'test@mailinator.com', '', 'asdf'],
  [
    'SEO Expert',
    'rank@first-page-now.info',
    '',
    'Cheap backlinks!!! https://first-page-now.info https://bit.ly/x1',
  ],
] as const;

export async function seed(world: PictureWorld): Promise<Seeded> {
  const at = `/workspaces/${world.workspaceId}`;
  const made = async (path: string, body: object) => (await world.owner.api('POST', at + path, body)).json;
  const fields = ['name', 'email', 'company', 'message'].map((key) => ({ key }));
  const form = await made('/forms', { name: 'Contact', slug: 'contact', fields });
  const second = await made('/forms', { name: 'Boat show 2026', slug: 'boat-show', fields });
  const token = await made('/tokens', { name: 'Website backend', form_id: form.id });
  await made('/tokens', { name: 'CRM relay', form_id: second.id });
  const { json } = await world.owner.api('PUT', `${at}/forms/${form.id}/webhook-secret`, {});
  await history(world, form.id, second.id);
  const leadId = await sendLeads(world, token.token, json.secret);
  await made(`/tokens/${token.id}/rotation`, { grace_seconds: 86_400 });
  await world.owner.api('PUT', `${at}/forms/${form.id}/webhook-secret`, { overlap_seconds: 86_400 });
  // Diagnostics are written once a second, and a lead is enriched soon after.
  await sleep(3_000);
  return { formId: form.id, leadId };
}

async function sendLeads({ url }: PictureWorld, token: string, secret: string): Promise<string> {
  const address = `${url}/api/v1/ingest`;
  const type = { 'Content-Type': 'application/json' };
  const ids: string[] = [];
  for (const [name, email, company, message] of people.toReversed()) {
    const body = JSON.stringify({ name, email, company, message, page: '/contact' });
    const answer = await fetch(address, {
      method: 'POST',
      headers: { ...type, Authorization: `Bearer ${token}` },
      body,
    });
    ids.push(((await answer.json()) as { submission_id: string }).submission_id);
    await postSigned(`${address}/contact`, body, secret);
  }
  // Rejections of several kinds, among them two that the debugger can explain.
  const lead = JSON.stringify({ name: people[1][0], email: people[1][1] });
  await postSigned(`${address}/contact`, lead, secret, { signedBody: `${lead}\n` });
  await postSigned(`${address}/contact`, lead, secret, {
    signedBody: JSON.stringify(JSON.parse(lead), null, 2),
  });
  await postSigned(`${address}/contact`, lead, secret, { ageSeconds: 3_600 });
  await postSigned(`${address}/boat-show`, lead, secret);
  await fetch(address, {
    method: 'POST',
    headers: { ...type, Authorization: `Bearer ${token}` },
    body: '[1]',
  });
  return ids.at(-1) as string;
}

async function postSigned(
  url: string,
  body: string,
  secret: string,
  { signedBody = body, ageSeconds = 0 } = {},
): Promise<void> {
  const timestamp = String(Math.floor(Date.now() / 1000) - ageSeconds);
  await fetch(url, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'X-SVC-Timestamp': timestamp,
      'X-SVC-Signature': sign(secret, timestamp, Buffer.from(signedBody)).toString('hex'),
    },
    body,
  });
}

/** Counts of the last day, as the ingest plane would have left them. */
async function history(world: PictureWorld, ...formIds: string[]): Promise<void> {
  const pool = new pg.Pool({ connectionString: world.databaseUrl });
  const nobody = '00000000-0000-0000-0000-000000000000';
  for (let hour = 1; hour < 24; hour++) {
    const time = new Date(Math.floor((Date.now() - hour * hourMs) / minuteMs) * minuteMs);
    const busy = Math.round(14 + 11 * Math.sin((hour / 24) * 2 * Math.PI + 1) + (hour % 5));
    const rows = [
      ['accepted', busy * 4],
      ['signature_mismatch', hour % 4 === 0 ? 9 : 2],
      ['token_revoked', hour > 16 ? 6 : 0],
      ['rate_limited_minute', hour === 9 ? 31 : 0],
    ] as const;
    for (const [outcome, count] of rows.filter(([, counted]) => counted > 0)) {
      const values = [
        shardOf(world.workspaceId),
        world.workspaceId,
        time,
        outcome,
        formIds[hour % 2],
        nobody,
        count,
      ];
      await pool.query(
        `insert into outcome_counts (shard, workspace_id, minute, surface, outcome, form_id, token_id, count, last_at)
         values ($1, $2, $3, 'webhook', $4, $5, $6, $7, $3)`,
        values,
      );
    }
  }
  await pool.end();
}
