import { type InstanceSettings, instanceSettings, instanceSettingsChange } from '../../contract/operator.ts';
import { readInstanceSettings, setWorkspaceCreation } from '../../db/instance-settings.ts';
import type { Queryable } from '../../db/pool.ts';
import { json, route } from '../calls/route.ts';
import { whoCreatesWorkspaces } from '../workspaces/quotas.ts';

const tag = 'Operator';
const path = '/operator/settings';

export const instanceSettingsRoutes = [
  route({
    method: 'get',
    path,
    tag,
    summary: 'Read the settings of the service',
    access: 'operator',
    answer: json(200, instanceSettings),
    handle: (_call, { pool }) => viewSettings(pool),
  }),
  route({
    method: 'put',
    path,
    tag,
    summary: 'Change the settings of the service',
    access: 'operator',
    audited: ['workspace_creation'],
    body: instanceSettingsChange,
    answer: json(200, instanceSettings),
    async handle({ body }, { pool }) {
      await setWorkspaceCreation(pool, body.workspace_creation);
      return viewSettings(pool);
    },
  }),
];

async function viewSettings(db: Queryable): Promise<InstanceSettings> {
  const { workspaceCreation } = await readInstanceSettings(db);
  return {
    workspace_creation: await whoCreatesWorkspaces(db),
    workspace_creation_chosen: workspaceCreation,
  };
}
