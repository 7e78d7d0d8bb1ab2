import type { InstanceSettings } from '../../contract/operator.ts';
import * as contract from '../../contract/operator.ts';
import { readInstanceSettings, setWorkspaceCreation } from '../../db/instance-settings.ts';
import type { Queryable } from '../../db/pool.ts';
import { route } from '../calls/route.ts';
import { whoCreatesWorkspaces } from '../workspaces/quotas.ts';

export const instanceSettingsRoutes = [
  route(contract.readInstanceSettings, (_call, { pool }) => viewSettings(pool)),
  route(contract.changeInstanceSettings, async ({ body }, { pool }) => {
    await setWorkspaceCreation(pool, body.workspace_creation);
    return viewSettings(pool);
  }),
];

async function viewSettings(db: Queryable): Promise<InstanceSettings> {
  const { workspaceCreation } = await readInstanceSettings(db);
  return {
    workspace_creation: await whoCreatesWorkspaces(db),
    workspace_creation_chosen: workspaceCreation,
  };
}
