import * as contract from '../../../contract/destinations/deliveries.ts';
import type { PageQuery } from '../../../contract/shape.ts';
import { type DeliveryFilter, listDeliveries } from '../../../db/deliver/delivery-lists.ts';
import type { PageRequest } from '../../../db/keyset.ts';
import { findLead } from '../../../db/leads/leads.ts';
import { page } from '../../calls/page.ts';
import { notFound } from '../../calls/problem.ts';
import { route } from '../../calls/route.ts';
import type { ManagementDeps } from '../../deps.ts';
import { type NamedDelivery, viewDelivery, withNames } from './delivery-view.ts';
import { readDelivery } from './whole-delivery.ts';

export const deliveryRoutes = [
  route(contract.listDeliveries, ({ params, query }, deps) => {
    const { destination_id: destinationId, state, submission_id: submissionId, from, to } = query;
    const filter = { destinationId, state, submissionId, from, to };
    return pageOfDeliveries(deps, params.workspace_id, filter, query);
  }),
  route(contract.listLeadDeliveries, async ({ params, query }, deps) => {
    const { workspace_id, submission_id: submissionId } = params;
    if ((await findLead(deps.pool, workspace_id, submissionId)) === null) throw notFound('lead');
    return pageOfDeliveries(deps, workspace_id, { submissionId }, query);
  }),
  route(contract.readDelivery, ({ params }, deps) =>
    readDelivery(deps, params.workspace_id, params.delivery_id),
  ),
];

function pageOfDeliveries(
  { pool }: ManagementDeps,
  workspaceId: string,
  filter: DeliveryFilter,
  query: PageQuery,
) {
  const listing = {
    fetch: async (request: PageRequest) =>
      withNames(pool, workspaceId, await listDeliveries(pool, workspaceId, filter, request)),
    position: ({ createdAt, id }: NamedDelivery) => ({ at: createdAt, id }),
    view: (record: NamedDelivery) => viewDelivery(workspaceId, record),
  };
  return page(query, listing, filter);
}
