import { randomUUID } from 'node:crypto';
import type { DestinationTest } from '../../contract/destinations/destinations.ts';
import * as contract from '../../contract/destinations/destinations.ts';
import { findDestination } from '../../db/deliver/destinations.ts';
import { findFormNames, listForms } from '../../db/forms/forms.ts';
import type { EventFacts, FormFacts } from '../../domain/destination/lead-facts.ts';
import { leadPayload } from '../../domain/destination/payload.ts';
import { headersOf, openSettings } from '../../domain/destination/request/delivery-request.ts';
import { statusText } from '../../domain/destination/retry/status-text.ts';
import { sampleLead } from '../../domain/destination/sample-lead.ts';
import type { PostResult } from '../../net/delivery/delivery-http.ts';
import { minuteMs, secondMs } from '../../time/clock.ts';
import { notFound, Problem } from '../calls/problem.ts';
import { route } from '../calls/route.ts';
import type { ManagementDeps } from '../deps.ts';
import { responseText } from './deliveries/response-text.ts';

export const destinationTestsPerMinute = 10;

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
  const { pool, clock, secretBox, deliveryHttp, publicUrl } = deps;
  const destination = await findDestination(pool, workspaceId, destinationId);
  if (destination === null) throw notFound('destination');
  requireRate(deps, workspaceId);
  const at = new Date(clock.now());
  const form = await formOfSample(deps, workspaceId, destination.formIds);
  const submissionId = randomUUID();
  const event: EventFacts = { workspaceId, number: 0, type: 'test', at, submissionId };
  const lead = sampleLead({ workspaceId, submissionId, form, at });
  const { body } = leadPayload(event, lead, { ...destination, publicUrl: publicUrl() });
  const headers = headersOf(event, body, openSettings(destination, secretBox, at), at);
  const result = await deliveryHttp.post({ url: destination.url, headers, body, signal: ended });
  const hidden = Object.fromEntries(destination.headerNames.map((name) => [name, '…']));
  return {
    ...viewResult(result),
    took_ms: result.ms,
    request: { headers: { ...headers, ...hidden }, body: body.toString() },
  };
}

function viewResult(
  result: PostResult,
): Pick<DestinationTest, 'delivered' | 'status' | 'error' | 'response_head'> {
  if ('failure' in result) return { delivered: false, status: null, error: result.text, response_head: null };
  const { status, head } = result;
  const error = statusText(status);
  return {
    delivered: error === null,
    status,
    error,
    response_head: head === null ? null : responseText(head),
  };
}

/** One that the destination is for. */
async function formOfSample(
  { pool }: ManagementDeps,
  workspaceId: string,
  formIds: readonly string[] | null,
): Promise<FormFacts | null> {
  const forms =
    formIds === null
      ? (await listForms(pool, workspaceId, { after: null, limit: 1, bytesMax: 1 })).rows
      : await findFormNames(pool, workspaceId, formIds);
  const [form] = forms;
  return form === undefined ? null : { id: form.id, slug: form.slug, name: form.name };
}

/** Each test is a request to someone else's server. */
function requireRate({ destinationTestRate, clock }: ManagementDeps, workspaceId: string): void {
  const now = clock.now();
  if (destinationTestRate.take(workspaceId, now)) return;
  const waitSeconds = Math.ceil((minuteMs - (now % minuteMs)) / secondMs);
  throw new Problem(
    'too_many_calls',
    `A workspace can send ${destinationTestsPerMinute} tests a minute. Wait ${waitSeconds} s.`,
    { headers: { 'retry-after': String(waitSeconds) } },
  );
}
