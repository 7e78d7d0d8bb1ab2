import { randomUUID } from 'node:crypto';
import type { NewDestination } from '../../contract/destinations/destinations.ts';
import * as contract from '../../contract/destinations/destinations.ts';
import {
  type DestinationRecord,
  insertDestination,
  listDestinations,
} from '../../db/deliver/destinations.ts';
import type { LargePageRequest } from '../../db/keyset.ts';
import { inTransaction } from '../../db/pool.ts';
import { destinationDefaults } from '../../domain/destination/destination.ts';
import { newWebhookSecret } from '../../domain/destination/request/webhook-signature.ts';
import { destinationSecretOwner } from '../../domain/destination/secrets.ts';
import { nameOf, type Principal } from '../calls/access.ts';
import { page } from '../calls/page.ts';
import { route } from '../calls/route.ts';
import type { ManagementDeps } from '../deps.ts';
import { requireRoomForDestination } from '../workspaces/quotas.ts';
import { changeDestination, rotateSecret } from './destination-changes.ts';
import { encryptHeaders, requireForms, requireMapping, requireUrl } from './destination-checks.ts';
import { deleteDestination } from './destination-deletion.ts';
import { pauseDestination, resumeDestination } from './destination-status.ts';
import { type CountedDestination, readDestination, viewDestination, withDays } from './destination-view.ts';

export const destinationRoutes = [
  route(contract.createDestination, ({ params, body, principal }, deps) =>
    createDestination(deps, principal, params.workspace_id, body),
  ),
  route(contract.listDestinations, ({ params: { workspace_id }, query }, deps) =>
    page(query, {
      async fetch(request: LargePageRequest) {
        const { rows, isCut } = await listDestinations(deps.pool, workspace_id, request);
        return { rows: await withDays(deps, workspace_id, rows), isCut };
      },
      position: ({ createdAt, id }: CountedDestination) => ({ at: createdAt, id }),
      view: (record) => viewDestination(record, deps.clock.now()),
    }),
  ),
  route(contract.readDestination, ({ params }, deps) =>
    readDestination(deps, params.workspace_id, params.destination_id),
  ),
  route(contract.changeDestination, async ({ params, body, principal }, deps) => {
    const { workspace_id, destination_id } = params;
    await changeDestination(deps, workspace_id, destination_id, body, nameOf(principal));
    return readDestination(deps, workspace_id, destination_id);
  }),
  route(contract.deleteDestination, ({ params, principal }, deps) =>
    deleteDestination(deps, params.workspace_id, params.destination_id, nameOf(principal)),
  ),
  route(contract.rotateDestinationSecret, async ({ params, body, principal }, deps) => {
    const { workspace_id, destination_id } = params;
    const secret = await rotateSecret(deps, workspace_id, destination_id, body, nameOf(principal));
    return { ...(await readDestination(deps, workspace_id, destination_id)), secret };
  }),
  route(contract.pauseDestination, async ({ params, principal }, deps) => {
    const { workspace_id, destination_id } = params;
    await pauseDestination(deps, workspace_id, destination_id, nameOf(principal));
    return readDestination(deps, workspace_id, destination_id);
  }),
  route(contract.resumeDestination, async ({ params, principal }, deps) => {
    const { workspace_id, destination_id } = params;
    await resumeDestination(deps, workspace_id, destination_id, nameOf(principal));
    return readDestination(deps, workspace_id, destination_id);
  }),
];

async function createDestination(
  deps: ManagementDeps,
  principal: Principal,
  workspaceId: string,
  wanted: NewDestination,
) {
  await requireUrl(deps, wanted.url);
  requireMapping(wanted);
  const secret = wanted.secret ?? newWebhookSecret();
  const record = newRecord(deps, workspaceId, wanted, secret, nameOf(principal));
  await inTransaction(deps.pool, async (client) => {
    await requireRoomForDestination(client, principal, workspaceId);
    await requireForms(client, workspaceId, record.formIds);
    await insertDestination(client, record);
  });
  return { ...(await readDestination(deps, workspaceId, record.id)), secret };
}

function newRecord(
  deps: ManagementDeps,
  workspaceId: string,
  wanted: NewDestination,
  secret: string,
  by: string,
): DestinationRecord {
  const id = randomUUID();
  const now = new Date(deps.clock.now());
  const { name, kind, url, format, events, mapping } = wanted;
  return {
    id,
    workspaceId,
    name,
    kind,
    status: 'active',
    disabledReason: null,
    url,
    format,
    formIds: wanted.form_ids,
    events,
    filter: wanted.filter ?? destinationDefaults.filter,
    mapping,
    ...encryptHeaders(deps, id, wanted.headers),
    secretCiphertext: deps.secretBox.seal(secret, destinationSecretOwner(id)),
    previousSecretCiphertext: null,
    previousValidUntil: null,
    sendWhen: wanted.send_when,
    waitMaxSeconds: wanted.wait_max_s,
    perSecond: wanted.per_second,
    version: 1,
    createdAt: now,
    createdBy: by,
    updatedAt: now,
    updatedBy: by,
  };
}
