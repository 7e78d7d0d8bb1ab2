import { randomUUID } from 'node:crypto';
import {
  newWorkspace,
  type Workspace,
  workspace,
  workspaceChanges,
  workspaceListQuery,
  workspacePage,
} from '../contract/workspace.ts';
import { nextDirectoryRevision } from '../db/directory-revision.ts';
import {
  findWorkspace,
  insertWorkspace,
  listWorkspaces,
  updateWorkspace,
  type WorkspaceRecord,
} from '../db/workspaces.ts';
import { requireOperator } from './access.ts';
import { changeDirectory } from './directory-change.ts';
import { page } from './page.ts';
import { notFound } from './problem.ts';
import { json, route } from './route.ts';

const tag = 'Workspaces';
const one = '/workspaces/:workspace_id';

export const workspaceRoutes = [
  route({
    method: 'post',
    path: '/workspaces',
    tag,
    summary: 'Create a workspace',
    access: 'operator',
    body: newWorkspace,
    answer: json(201, workspace),
    async handle({ body }, deps) {
      const createdAt = new Date(deps.clock.now());
      const created: WorkspaceRecord = { id: randomUUID(), name: body.name, status: 'active', createdAt };
      await changeDirectory(deps, async (client) =>
        insertWorkspace(client, created, await nextDirectoryRevision(client)),
      );
      return viewWorkspace(created);
    },
  }),
  route({
    method: 'get',
    path: '/workspaces',
    tag,
    summary: 'List workspaces',
    access: 'operator',
    query: workspaceListQuery,
    answer: json(200, workspacePage),
    handle: ({ query }, { pool }) =>
      page(query, {
        fetch: (request) => listWorkspaces(pool, request),
        position: ({ createdAt, id }) => ({ at: createdAt, id }),
        view: viewWorkspace,
      }),
  }),
  route({
    method: 'get',
    path: one,
    tag,
    summary: 'Read a workspace',
    access: 'member',
    answer: json(200, workspace),
    async handle({ params }, { pool }) {
      return viewWorkspace((await findWorkspace(pool, params.workspace_id)) ?? missing());
    },
  }),
  route({
    method: 'patch',
    path: one,
    tag,
    summary: 'Rename, suspend or resume a workspace',
    description: 'Every submission to a suspended workspace is rejected.',
    access: 'owner',
    body: workspaceChanges,
    answer: json(200, workspace),
    async handle({ params, body, principal }, deps) {
      if (body.status !== undefined) requireOperator(principal, 'suspend or resume a workspace');
      const updated = await changeDirectory(deps, async (client) =>
        updateWorkspace(client, params.workspace_id, body, await nextDirectoryRevision(client)),
      );
      return viewWorkspace(updated ?? missing());
    },
  }),
];

function viewWorkspace({ id, name, status, createdAt }: WorkspaceRecord): Workspace {
  return { id, name, status, created_at: createdAt.toISOString() };
}

function missing(): never {
  throw notFound('workspace');
}
