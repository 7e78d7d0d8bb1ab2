import { randomUUID } from 'node:crypto';
import { deliveryId } from '../../../src/domain/destination/delivery-id.ts';
import { shardOf } from '../../../src/domain/workspace.ts';
import type { TestService } from '../../support/service.ts';
import type { Seed } from '../leads/seed.ts';

/** A public address, so that no name is looked up. Nothing connects to it unless a test is sent. */
export const someUrl = 'https://93.184.215.14/leads';

export const newDestination = { name: 'CRM', kind: 'webhook', url: someUrl };

// biome-ignore lint/suspicious/noExplicitAny: each test expects a different shape.
type Json = any;

export async function createDestination(
  { api }: Pick<TestService, 'api'>,
  workspaceId: string,
  more: object = {},
): Promise<Json> {
  const body = { ...newDestination, ...more };
  const { status, json, text } = await api('POST', `/workspaces/${workspaceId}/destinations`, body);
  if (status !== 201) throw new Error(`The destination was not created: ${status} ${text}`);
  return json;
}

let events = 0;

/** A delivery as the relay and the engine would leave it. */
export async function addDelivery(
  seed: Seed,
  workspaceId: string,
  destinationId: string,
  values: Record<string, unknown> = {},
): Promise<string> {
  const created_at = new Date((values.created_at as string | undefined) ?? '2026-11-15T08:00:00Z');
  const row = {
    shard: shardOf(workspaceId),
    workspace_id: workspaceId,
    id: deliveryId(created_at),
    destination_id: destinationId,
    event_id: ++events,
    event_type: 'lead.accepted',
    event_at: created_at,
    submission_id: randomUUID(),
    state: 'pending',
    next_at: created_at,
    ...values,
    created_at,
  };
  const places = Object.keys(row).map((_, i) => `$${i + 1}`);
  await seed.query(`insert into deliveries (${Object.keys(row)}) values (${places})`, Object.values(row));
  return row.id;
}
