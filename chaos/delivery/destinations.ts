import { firms } from '../../bench/load/lead.ts';
import { callApi } from '../../bench/seed.ts';
import type { EventType } from '../../src/domain/destination/destination.ts';
import type { Sender } from '../load/order.ts';
import type { Receivers } from './receivers.ts';

/** What the checker knows of a stored lead, read from PostgreSQL. */
export interface LeadFacts {
  readonly workspaceId: string;
  readonly company: string;
  readonly verdict: string;
}

/** A destination, and which events it must get and no others. */
export interface Destination {
  readonly workspaceId: string;
  readonly receiver: string;
  readonly wants: (type: EventType, lead: LeadFacts | null) => boolean;
}

interface Plan {
  readonly name: string;
  readonly settings: object;
  readonly wants: Destination['wants'];
}

const someFirms = firms.slice(0, 2);

/** Of each workspace. The forms of `otherForm` get no leads. */
function plansFor(otherForm: string): readonly Plan[] {
  return [
    {
      name: 'everything',
      settings: {
        events: ['lead.accepted', 'lead.erased'],
        filter: { all: [] },
        send_when: 'accepted',
      },
      wants: (type) => type === 'lead.accepted' || type === 'lead.erased',
    },
    {
      name: 'some-firms',
      settings: {
        events: ['lead.accepted'],
        filter: { all: [{ field: 'field.company', op: 'in', value: someFirms }] },
        send_when: 'accepted',
        format: 'flat',
      },
      wants: (type, lead) => type === 'lead.accepted' && lead !== null && someFirms.includes(lead.company),
    },
    {
      name: 'clean',
      settings: { wait_max_s: 3, format: 'thin' },
      wants: (type, lead) => type === 'lead.accepted' && lead?.verdict === 'clean',
    },
    {
      name: 'other-form',
      settings: { form_ids: [otherForm], filter: { all: [] }, send_when: 'accepted' },
      wants: () => false,
    },
  ];
}

/** Several in each workspace. Every other workspace has receivers that fail. */
export async function createDestinations(
  port: number,
  senders: readonly Sender[],
  receivers: Receivers,
): Promise<Destination[]> {
  const destinations: Destination[] = [];
  for (const [number, { workspaceId, slug }] of senders.entries()) {
    const at = `/workspaces/${workspaceId}`;
    const form = await callApi(port, 'POST', `${at}/forms`, { name: 'Other', slug: `${slug}-other` });
    for (const { name, settings, wants } of plansFor(String(form.id))) {
      const receiver = `${slug}-${name}`;
      const url = receivers.add(receiver, number % 2 === 0 ? 'flaky' : 'steady');
      const created = await callApi(port, 'POST', `${at}/destinations`, {
        name,
        kind: 'webhook',
        url,
        ...settings,
      });
      receivers.expectSecret(receiver, String(created.secret));
      destinations.push({ workspaceId, receiver, wants });
    }
  }
  return destinations;
}
