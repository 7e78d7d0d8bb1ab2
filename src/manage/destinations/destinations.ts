import { randomUUID } from 'node:crypto';
import type { NewDestination } from '../../contract/destinations/destination-settings.ts';
import type { Destination } from '../../contract/destinations/destinations.ts';
import * as contract from '../../contract/destinations/destinations.ts';
import {
  type DestinationRecord,
  insertDestination,
  listDestinations,
} from '../../db/deliver/destinations.ts';
import type { LargePageRequest } from '../../db/keyset.ts';
import { inTransaction } from '../../db/pool.ts';
import { destinationDefaults } from '../../domain/destination/destination.ts';
import { nameOf, type Principal } from '../calls/access.ts';
import { page } from '../calls/page.ts';
import { route } from '../calls/route.ts';
import type { ManagementDeps } from '../deps.ts';
import { requireRoomForDestination } from '../workspaces/quotas.ts';
import { changeDestination, rotateSecret, sealSecret } from './destination-changes.ts';
import { requireForms } from './destination-checks.ts';
import { deleteDestination } from './destination-deletion.ts';
import { pauseDestination, resumeDestination } from './destination-status.ts';
import { type CountedDestination, readDestination, viewDestination, withDays } from './destination-view.ts';
import { managedKind } from './kinds/kinds.ts';

export const destinationRoutes = [
  route(contract.createDestination, ({ params, body, principal }, deps) =>
    createDestination(deps, principal, params.workspace_id, body),
  ),
  route(contract.checkDestination, async ({ params: { workspace_id }, body, principal }, deps) => {
    await managedKind(body.kind).create(deps, randomUUID(), body, { principal, workspaceId: workspace_id });
    await requireForms(deps.pool, workspace_id, body.form_ids);
  }),
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
    await changeDestination(deps, principal, workspace_id, destination_id, body);
    return readDestination(deps, workspace_id, destination_id);
  }),
  route(contract.deleteDestination, ({ params, principal }, deps) =>
    deleteDestination(deps, params.workspace_id, params.destination_id, nameOf(principal)),
  ),
  route(contract.rotateDestinationSecret, async ({ params, body, principal }, deps) => {
    const { workspace_id, destination_id } = params;
    const secret = await rotateSecret(deps, workspace_id, destination_id, body, nameOf(principal));
    const rotated = await readDestination(deps, workspace_id, destination_id);
    return { ...(rotated as Extract<Destination, { kind: 'webhook' }>), secret };
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
  const id = randomUUID();
  const kind = managedKind(wanted.kind);
  const { secret, ...own } = await kind.create(deps, id, wanted, { principal, workspaceId });
  const at = new Date(deps.clock.now());
  const by = nameOf(principal);
  const record: DestinationRecord = {
    ...own,
    id,
    workspaceId,
    name: wanted.name,
    status: 'active',
    disabledReason: null,
    formIds: wanted.form_ids,
    events: wanted.events,
    filter: wanted.filter ?? destinationDefaults.filter,
    sendWhen: wanted.send_when,
    waitMaxSeconds: wanted.wait_max_s,
    secretCiphertext: sealSecret(deps, id, secret),
    previousSecretCiphertext: null,
    previousValidUntil: null,
    version: 1,
    ...{ createdAt: at, createdBy: by, updatedAt: at, updatedBy: by },
  };
  const after = await inTransaction(deps.pool, async (client) => {
    await requireRoomForDestination(client, principal, workspaceId);
    await requireForms(client, workspaceId, record.formIds);
    await insertDestination(client, record);
    return kind.save?.(deps, { client, destination: record, principal, at }, wanted);
  });
  await after?.();
  const created = await readDestination(deps, workspaceId, id);
  return { ...created, secret: wanted.kind === 'webhook' ? secret : null };
}
