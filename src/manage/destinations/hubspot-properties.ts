import type { HubspotPropertyList } from '../../contract/destinations/hubspot.ts';
import * as contract from '../../contract/destinations/hubspot.ts';
import { findDestination } from '../../db/deliver/destinations.ts';
import { contactIdProperty } from '../../domain/destination/hubspot/contact.ts';
import type { HubspotProperty } from '../../domain/destination/hubspot/contact-mapping.ts';
import { notFound } from '../calls/problem.ts';
import { route } from '../calls/route.ts';
import { propertiesOf, storedToken } from './kinds/hubspot.ts';

/** What mapping rows can set, for those who write one. */
export const hubspotRoutes = [
  route(contract.listHubspotProperties, async ({ params, body, ended }, deps) =>
    viewProperties(await propertiesOf(deps, params.workspace_id, body.token, ended)),
  ),
  route(contract.readHubspotProperties, async ({ params, ended }, deps) => {
    const { workspace_id, destination_id } = params;
    const destination = await findDestination(deps.pool, workspace_id, destination_id);
    if (destination === null) throw notFound('destination');
    if (destination.kind !== 'hubspot') return viewProperties([]);
    return viewProperties(await propertiesOf(deps, workspace_id, storedToken(deps, destination), ended));
  }),
];

/** The address comes first, because every mapping needs it. */
function viewProperties(properties: readonly HubspotProperty[]): HubspotPropertyList {
  const isId = ({ name }: HubspotProperty) => name === contactIdProperty;
  const writable = properties.filter((property) => property.isWritable && !isId(property));
  const sorted = writable.toSorted((a, b) => a.label.localeCompare(b.label) || a.name.localeCompare(b.name));
  return {
    properties: [...properties.filter(isId), ...sorted].map(({ name, label, type }) => ({
      name,
      label,
      type,
    })),
  };
}
