import { z } from 'zod';
import { pageOf, pageQuery } from './paging.ts';
import { changes, id, line, strict, time } from './shape.ts';

const name = line(200);
const status = z.enum(['active', 'suspended']);

export const workspace = z
  .object({ id, name: z.string(), status, created_at: time })
  .meta({ id: 'Workspace' });
export const workspacePage = pageOf(workspace).meta({ id: 'WorkspacePage' });
export const newWorkspace = strict({ name }).meta({ id: 'NewWorkspace' });
export const workspaceChanges = changes({ name: name.optional(), status: status.optional() }).meta({
  id: 'WorkspaceChanges',
});
export const workspaceListQuery = strict(pageQuery);

export type Workspace = z.output<typeof workspace>;
