import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { keyReusedRule, senderUnsupportedRule } from '../../../src/alarms/rules/senders.ts';
import { shardOf } from '../../../src/domain/workspace.ts';
import { RulesWorld, type Source } from './rules-world.ts';

let world: RulesWorld;
const hour = 60;
const day = 24 * hour;

beforeAll(async () => {
  world = await RulesWorld.create();
});
afterAll(() => world.end());
beforeEach(() => world.reset());

describe('calls of known senders', () => {
  async function call(
    { workspaceId, formId }: Source,
    sender: string,
    digest: string,
    ago = 0,
  ): Promise<void> {
    await world.pool.query(
      `insert into rejection_entries (shard, workspace_id, id, at, surface, reason, form_id, request_id, detail)
       values ($1, $2, $3, $4, 'webhook', 'sender_unsupported', $5, $3, $6)`,
      [shardOf(workspaceId), workspaceId, randomUUID(), world.ago(ago), formId, { sender, call: digest }],
    );
  }

  test('raise one high alarm for each sender of a form, at the first call', async () => {
    const source = await world.createForm();
    await world.judge(senderUnsupportedRule());
    expect(world.told).toEqual([]);
    await call(source, 'typeform', 'a');
    await call(source, 'typeform', 'b');
    await call(source, 'typeform', 'b');
    await call(source, 'meta', 'c');
    await world.judge(senderUnsupportedRule());
    await world.judge(senderUnsupportedRule());
    expect(world.told).toEqual(['sender_unsupported high meta', 'sender_unsupported high typeform']);
    const about = (reason: string) => world.open.find((alarm) => alarm.reason === reason);
    expect(about('typeform')).toMatchObject({ formId: source.formId, evidence: { calls: 2 } });
    expect(about('meta')).toMatchObject({ formId: source.formId, evidence: { calls: 1 } });
  });

  test('raise no other alarm when somebody sends the same call again later', async () => {
    const source = await world.createForm();
    await call(source, 'typeform', 'a', 2 * day);
    await call(source, 'typeform', 'a');
    await world.judge(senderUnsupportedRule());
    expect(world.told).toEqual([]);
    await call(source, 'typeform', 'b');
    await world.judge(senderUnsupportedRule());
    expect(world.told).toEqual(['sender_unsupported high typeform']);
  });

  test('are over after a day without one', async () => {
    const source = await world.createForm();
    await call(source, 'typeform', 'a');
    await world.judge(senderUnsupportedRule());
    world.pass(2 * day);
    await world.judge(senderUnsupportedRule());
    expect(world.closed).toMatchObject([{ closedAs: 'recovered' }]);
  });
});

describe('a reused key', () => {
  interface Note {
    readonly key?: string;
    readonly person: string | null;
    readonly isSecret?: boolean;
    readonly ago?: number;
  }

  async function note(
    { workspaceId, formId }: Source,
    { key = 'k', person, isSecret = false, ago = 0 }: Note,
  ) {
    await world.pool.query(
      `insert into diagnostic_notes (shard, workspace_id, id, at, surface, kind, form_id, request_id, submission_id, key_hash,
        person_hash, is_secret) values ($1, $2, $3, $4, 'server', 'idempotency_body_differs', $5, $3, $3, $6, $7, $8)`,
      [
        ...[shardOf(workspaceId), workspaceId, randomUUID(), world.ago(ago), formId, Buffer.from(key)],
        ...[person && Buffer.from(person), isSecret],
      ],
    );
  }

  test('raises an alarm at five different persons within an hour, not at retries of one', async () => {
    const source = await world.createForm();
    for (let n = 0; n < 9; n++) await note(source, { person: 'ada' });
    for (let n = 0; n < 9; n++) await note(source, { person: null });
    for (let n = 0; n < 9; n++) await note(source, { key: `key ${n}`, person: `p${n}` });
    for (let n = 0; n < 9; n++) await note(source, { person: `p${n}`, ago: 2 * hour });
    for (let n = 0; n < 3; n++) await note(source, { person: `p${n}` });
    await world.judge(keyReusedRule());
    expect(world.told).toEqual([]);
    await note(source, { person: 'p4' });
    await world.judge(keyReusedRule());
    expect(world.told).toEqual(['key_reused high']);
    expect(world.open).toMatchObject([{ formId: source.formId, evidence: { leads: 5, is_secret: false } }]);
  });

  test('raises one at the first differing body if it is a credential, and closes it after a day without one', async () => {
    const source = await world.createForm();
    await note(source, { key: randomBytes(8).toString('hex'), person: 'ada', isSecret: true });
    await world.judge(keyReusedRule());
    expect(world.open).toMatchObject([{ evidence: { leads: 1, is_secret: true } }]);
    world.pass(2 * hour);
    await world.judge(keyReusedRule());
    expect(world.closed).toEqual([]);
    world.pass(2 * day);
    await world.judge(keyReusedRule());
    expect(world.closed).toMatchObject([{ closedAs: 'recovered' }]);
  });
});
