import type { Diagnostics } from '../../../contract/diagnostics.ts';
import type { Session } from '../../command.ts';
import { CliError } from '../../exit.ts';
import { findWorkspace, idArgument } from '../../find.ts';

/** By the X-Request-Id that the sender received. */
export async function findRejection(api: Session['api'], workspace: string | undefined, wanted: string) {
  const request_id = idArgument('request ID', wanted);
  const { id, name } = await findWorkspace(api, workspace);
  const entry = await entryOf(api, id, request_id);
  if (entry === undefined) throw new CliError('missing', missingText(request_id, name));
  return { workspaceId: id, entry };
}

export async function entryOf(
  api: Session['api'],
  workspace_id: string,
  request_id: string,
): Promise<Diagnostics['items'][number] | undefined> {
  const { items } = await api.call('GET', '/workspaces/:workspace_id/diagnostics', {
    params: { workspace_id },
    query: { request_id, limit: 1 },
  });
  return items[0];
}

function missingText(requestId: string, workspace: string): string {
  return [
    `${workspace} has no rejection with the request ID ${requestId}.`,
    'The request may have been accepted, belong to another workspace, or be too old. Rejections with an unknown token',
    'or slug belong to no workspace: operators find them with leadgate rejection unattributed --request. Of very many',
    'rejections in a day, not all are listed.',
  ].join(' ');
}
