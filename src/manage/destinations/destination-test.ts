import { randomUUID } from 'node:crypto';
import type { TryResult } from '../../channels/channel.ts';
import type { DestinationTest } from '../../contract/destinations/destinations.ts';
import * as contract from '../../contract/destinations/destinations.ts';
import type { DueDelivery } from '../../db/deliver/deliver-database.ts';
import { findDestination, type ListedDestination } from '../../db/deliver/destinations.ts';
import { rendered } from '../../domain/destination/kind/rendering.ts';
import type { EventFacts } from '../../domain/destination/lead-facts.ts';
import {
  headersOf,
  type OpenedSettings,
  openSettings,
} from '../../domain/destination/request/delivery-request.ts';
import { sampleLead } from '../../domain/destination/sample-lead.ts';
import { notFound } from '../calls/problem.ts';
import { route } from '../calls/route.ts';
import type { ManagementDeps } from '../deps.ts';
import { responseText } from './deliveries/response-text.ts';
import { requireEmailTestRate, requireTestRate } from './destination-checks.ts';
import { formOfSample } from './sample-form.ts';

export const destinationTestRoutes = [
  route(contract.testDestination, ({ params, ended }, deps) =>
    testDestination(deps, params.workspace_id, params.destination_id, ended),
  ),
];

/** Whatever its status is: the owner wants to know whether it works before it is resumed. Its health does not change. */
async function testDestination(
  deps: ManagementDeps,
  workspaceId: string,
  destinationId: string,
  ended: AbortSignal = new AbortController().signal,
): Promise<DestinationTest> {
  const { pool, clock, secretBox, channels } = deps;
  const destination = await findDestination(pool, workspaceId, destinationId);
  if (destination === null) throw notFound('destination');
  requireTestRate(deps, workspaceId);
  if (destination.kind === 'email') await requireEmailTestRate(deps, workspaceId);
  const at = new Date(clock.now());
  const form = await formOfSample(pool, workspaceId, destination.formIds);
  const submissionId = randomUUID();
  const lead = sampleLead({ workspaceId, submissionId, form, at });
  const opened = openSettings(destination, secretBox, at);
  const publicUrl = deps.publicUrl();
  const item = { delivery: sampleDelivery(submissionId, at), lead, isOnlyCounted: false };
  const parcel = { destination, opened, items: [item], isDigest: false, publicUrl, at };
  const [result] = await channels[destination.kind].send(parcel, ended);
  const event: EventFacts = { workspaceId, number: 0, type: 'test', at, submissionId };
  const request = rendered(destination, { event, data: null, lead }, publicUrl) ?? { headers: {}, body: '' };
  return {
    ...viewResult(result as TryResult),
    request: {
      headers: { ...request.headers, ...signed(destination, event, request.body, opened, at) },
      body: request.body,
    },
  };
}

function sampleDelivery(submissionId: string, at: Date): DueDelivery {
  return {
    ...{ id: randomUUID(), nextAt: at, eventNumber: 0, eventType: 'test', eventAt: at, eventData: null },
    ...{ submissionId, attempts: 0, leadBytes: null, sentTo: [] },
  };
}

/** The headers that only a webhook has; the values of the owner's own are never shown. */
function signed(
  destination: ListedDestination,
  event: EventFacts,
  body: string,
  opened: OpenedSettings,
  at: Date,
): Readonly<Record<string, string>> {
  if (destination.kind !== 'webhook') return {};
  const hidden = Object.fromEntries(destination.config.headers.map((name) => [name, '…']));
  return { ...headersOf(event, Buffer.from(body), opened, at), ...hidden };
}

function viewResult(result: TryResult): Omit<DestinationTest, 'request'> {
  if (!('meaning' in result))
    return { delivered: false, status: null, error: result.error, took_ms: 0, response_head: null };
  const { meaning, status, error, head, ms } = result;
  return {
    delivered: meaning === 'delivered',
    status,
    error,
    took_ms: ms,
    response_head: head === null ? null : responseText(head),
  };
}
