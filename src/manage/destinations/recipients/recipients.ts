import * as contract from '../../../contract/destinations/recipients.ts';
import { recipientStatus } from '../../../domain/destination/kind/recipient.ts';
import { notFound } from '../../calls/problem.ts';
import { route } from '../../calls/route.ts';
import { readDestination } from '../destination-view.ts';
import { askAgain } from './asking.ts';
import { countLinkUse } from './link-limit.ts';
import { confirm, readLink, unsubscribe } from './links.ts';

export const recipientRoutes = [
  route(contract.askRecipient, async ({ params, body, principal }, deps) => {
    const ids = { workspaceId: params.workspace_id, destinationId: params.destination_id };
    await askAgain(deps, principal, ids, body.address);
    return readDestination(deps, ids.workspaceId, ids.destinationId);
  }),
  route(contract.previewRecipientLink, async ({ body, client }, deps) => {
    await countLinkUse(deps, 'page', client.address);
    const found = await readLink(deps, body.token);
    if (found === null) throw notFound('link');
    return {
      address: found.address,
      status: recipientStatus(found),
      destination: found.destinationName,
      workspace: found.workspaceName,
    };
  }),
  route(contract.confirmRecipient, async ({ body, client }, deps) => {
    await countLinkUse(deps, 'page', client.address);
    await confirm(deps, body.token, client.address);
  }),
  route(contract.unsubscribeRecipient, async ({ body, client }, deps) => {
    await countLinkUse(deps, 'page', client.address);
    if (!(await unsubscribe(deps, body.token, client.address))) throw notFound('link');
  }),
];
