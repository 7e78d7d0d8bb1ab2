import type { KindSettings, WebhookConfig } from '../../src/domain/destination/kind/kind-settings.ts';
import { destinationSecretOwner } from '../../src/domain/destination/secrets.ts';
import { shardOf } from '../../src/domain/workspace.ts';
import type { DestinationRow } from '../database/deliver/deliver-rows.ts';
import { secretBox } from '../instance/instance.ts';
import { type Workspace, workspaces } from '../senders/cast.ts';
import type { DestinationPlan } from './delivery-plan.ts';

export const deliveryShards: readonly number[] = workspaces.map(({ id }) => shardOf(id));

const destinationsMax = 4;

/** By its number in the plan. */
export function destinationId(number: number): string {
  return `00000000-0000-4000-b000-00000000000${number}`;
}

export function numberOf(id: string): number {
  return Number(id.slice(-1));
}

function destinationUrl(number: number, version: number): string {
  return `https://receiver.example/${number}/${version}`;
}

export function webhookConfig(number: number, version: number): WebhookConfig {
  return { url: destinationUrl(number, version), format: 'standard', headers: [] };
}

function kindOf(number: number, { kind, every }: DestinationPlan): KindSettings {
  const linkOnly = false;
  switch (kind) {
    case 'webhook':
      return { kind, config: webhookConfig(number, 1) };
    case 'chat':
      return { kind, config: { service: 'slack', host: 'chat.example', linkOnly } };
    case 'email':
      return { kind, config: { every, hour: 8, timeZone: 'UTC', linkOnly } };
  }
}

const secrets = Array.from({ length: destinationsMax }, (_, number) =>
  secretBox.seal(
    'whsec_c2ltdWxhdGVkIHNlY3JldCBvZiAyNCBieXRlcw==',
    destinationSecretOwner(destinationId(number)),
  ),
);

export function destinationRow(number: number, plan: DestinationPlan): DestinationRow {
  const { workspace, isForCleanOnly, events, sendWhen, waitMaxSeconds, perSecond } = plan;
  return {
    id: destinationId(number),
    workspaceId: (workspaces[workspace] as Workspace).id,
    name: `Destination ${number}`,
    status: 'active',
    disabledReason: null,
    ...kindOf(number, plan),
    formIds: null,
    filter: { all: isForCleanOnly ? [{ field: 'verdict', op: 'eq', value: 'clean' }] : [] },
    mapping: [],
    headersCiphertext: null,
    secretCiphertext: secrets[number] as Buffer,
    previousSecretCiphertext: null,
    previousValidUntil: null,
    version: 1,
    ...{ events, sendWhen, waitMaxSeconds, perSecond },
  };
}
