import { randomBytes, randomUUID } from 'node:crypto';
import { type DestinationRecord, updateDestinationStatus } from '../../../db/deliver/destinations.ts';
import { listRecipients, readWanted, replaceRecipients } from '../../../db/deliver/recipients.ts';
import { type EmailConfig, kindPerSecond } from '../../../domain/destination/kind/kind-settings.ts';
import {
  type RecipientFacts,
  receives,
  recipientStatus,
} from '../../../domain/destination/kind/recipient.ts';
import { nameOf } from '../../calls/access.ts';
import { askNew, requireAskable, requireMailServer } from '../recipients/asking.ts';
import type { ManagedKind, Saving } from './managed-kind.ts';

const secretBytes = 32;
const withoutMapping = { mapping: [], headersCiphertext: null, perSecond: kindPerSecond.email } as const;

export const emailKind: ManagedKind<'email'> = {
  members: ['recipients', 'every', 'hour', 'time_zone', 'link_only'],
  async create(deps, id, wanted, { principal, workspaceId }) {
    requireMailServer(deps, 'kind');
    const recipients = await readWanted(deps.pool, workspaceId, id, wanted.recipients);
    await requireAskable(deps, principal, workspaceId, addressesOf(recipients.filter(mustAgree)));
    const { every, hour, time_zone: timeZone, link_only: linkOnly } = wanted;
    const secret = randomBytes(secretBytes).toString('base64url');
    return { kind: 'email', config: { every, hour, timeZone, linkOnly }, ...withoutMapping, secret };
  },
  async check(deps, before, { recipients }, { principal, workspaceId }) {
    if (recipients === undefined) return;
    const wanted = await readWanted(deps.pool, workspaceId, before.id, recipients);
    const added = wanted.filter(({ isPresent }) => !isPresent);
    // Without a mail server an owner can still remove people.
    if (added.length > 0) requireMailServer(deps, 'recipients');
    await requireAskable(deps, principal, workspaceId, addressesOf(added.filter(mustAgree)));
  },
  change(_deps, before, changes) {
    const config = configOf(before);
    return {
      kind: 'email',
      config: {
        every: changes.every ?? config.every,
        hour: changes.hour ?? config.hour,
        timeZone: changes.time_zone ?? config.timeZone,
        linkOnly: changes.link_only ?? config.linkOnly,
      },
      ...withoutMapping,
      secret: null,
      isOtherPlace: changes.recipients !== undefined,
    };
  },
  async save(deps, saving, wanted) {
    const { client, destination, principal, at } = saving;
    const addresses = 'recipients' in wanted ? wanted.recipients : undefined;
    if (addresses === undefined) return async () => {};
    const known = new Set((await listRecipients(client, [destination.id])).map(({ id }) => id));
    const recipients = addresses.map((address) => ({ id: randomUUID(), address }));
    await replaceRecipients(client, destination.id, recipients, at);
    const saved = await listRecipients(client, [destination.id]);
    if (!saved.every(mustAgree)) await enable(saving);
    const asked = saved.filter((one) => !known.has(one.id) && mustAgree(one));
    return () => askNew(deps, { principal, destination }, asked);
  },
};

function configOf(record: DestinationRecord): EmailConfig {
  if (record.kind !== 'email') throw new Error('not an email destination');
  return record.config;
}

function mustAgree(recipient: RecipientFacts): boolean {
  return !receives(recipientStatus(recipient));
}

function addressesOf(recipients: readonly { readonly address: string }[]): string[] {
  return recipients.map(({ address }) => address);
}

/** What it was disabled for is over. */
async function enable({ client, destination, principal, at }: Saving): Promise<void> {
  if (destination.disabledReason !== 'no_recipients') return;
  const change = { at, by: nameOf(principal) };
  await updateDestinationStatus(client, destination.id, 'active', null, change);
}
