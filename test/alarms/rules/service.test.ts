import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Judgement, WatchedWorkspace } from '../../../src/alarms/rule.ts';
import { rejectionsRule } from '../../../src/alarms/rules/rejections/rejections.ts';
import { operationId } from '../../../src/contract/call.ts';
import { calls } from '../../../src/contract/calls.ts';
import { readRecentCounts } from '../../../src/db/alarms/facts/recent-counts.ts';
import type { Finding } from '../../../src/domain/alarm/alarm.ts';
import { causingActions } from '../../../src/domain/alarm/rejections/after-change.ts';
import { defaultAlarmSettings } from '../../../src/domain/alarm/settings.ts';
import { shardOf } from '../../../src/domain/workspace.ts';
import { join } from '../../support/browser/browser.ts';
import { openTestPool } from '../../support/database/database.ts';
import { eventually } from '../../support/diagnostics.ts';
import { createSender, expectRejected, post, type Sender } from '../../support/sender.ts';
import { startTestService, type TestService } from '../../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

test('every change that can cause rejections is an operation of the management API', () => {
  const operations = calls.map(operationId);
  expect(causingActions.filter((action) => !operations.includes(action))).toEqual([]);
});

test('a sender that misses a rotation is told with the change as the audit log has it', async () => {
  const sender = await createSender(service);
  await post(service, sender, 'webhook');
  await counted(sender, 'accepted');
  const { status } = await service.api(
    'PUT',
    `/workspaces/${sender.workspaceId}/forms/${sender.formId}/webhook-secret`,
    {},
  );
  expect(status).toBe(200);
  await post(service, sender, 'webhook');
  await counted(sender, 'signature_mismatch');
  expect(await findingsFor(sender)).toMatchObject([
    {
      ...{ kind: 'after_change', severity: 'high', formId: sender.formId, reason: 'signature_mismatch' },
      evidence: { change: { text: 'Rotated the webhook secret', by: 'the operator' }, rejected: 1 },
    },
  ]);
});

test('a sender that posts to the former slug of a renamed form is told with who renamed it', async () => {
  const sender = await createSender(service);
  const owner = await join(service, sender.workspaceId, 'ada@example.com', 'owner');
  await post(service, sender, 'webhook');
  await counted(sender, 'accepted');
  const slug = `${sender.slug}-new`;
  const path = `/workspaces/${sender.workspaceId}/forms/${sender.formId}`;
  expect((await owner.api('PATCH', path, { name: 'Contact us', slug })).status).toBe(200);
  expectRejected(await post(service, sender, 'webhook'));
  await counted(sender, 'form_unknown');
  const [finding, ...others] = await findingsFor(sender);
  expect(others).toEqual([]);
  expect(finding).toMatchObject({
    ...{ kind: 'after_change', severity: 'high', formId: sender.formId, reason: 'form_unknown' },
    evidence: {
      change: { text: `Changed the slug from ${sender.slug} to ${slug}`, by: 'ada' },
      rejected: 1,
    },
  });
});

async function findingsFor(sender: Sender): Promise<readonly Finding[]> {
  const pool = openTestPool(service.databaseUrl);
  const now = new Date(service.clock.now());
  const shards = [shardOf(sender.workspaceId)];
  const counts = await readRecentCounts(pool, shards, now);
  const judgement: Judgement = {
    ...{ now, pool, counts, shardGroups: [shards], open: [], allOpen: [] },
    workspaces: new Map([[sender.workspaceId, watched(sender)]]),
  };
  const { findings } = await rejectionsRule().judge(judgement);
  await pool.end();
  return findings;
}

function watched({ workspaceId, formId, slug }: Sender): WatchedWorkspace {
  const form = { id: formId, name: 'Contact', slug, isActive: true };
  return {
    ...{ id: workspaceId, name: 'Acme', isSuspended: false, settings: defaultAlarmSettings },
    ...{ forms: new Map([[formId, form]]), tokens: new Map() },
  };
}

/** Counts are written once a second. */
async function counted(sender: Sender, outcome: string): Promise<void> {
  const isThere = (diagnostics: unknown) => JSON.stringify(diagnostics).includes(outcome);
  const pool = openTestPool(service.databaseUrl);
  const ask = async () => {
    const { rows } = await pool.query('select outcome from outcome_counts where workspace_id = $1', [
      sender.workspaceId,
    ]);
    return rows;
  };
  await eventually(ask, isThere);
  await pool.end();
}
