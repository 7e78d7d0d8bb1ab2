import { z } from 'zod';
import { roles } from '../domain/role.ts';
import { id, line, strict } from './shape.ts';
import { workspaceStatus } from './workspace.ts';

export const email = z
  .string()
  .trim()
  .toLowerCase()
  .max(254)
  .pipe(z.email({ error: 'use an email address' }));
export const role = z.enum(roles);
export const personName = line(200);
/** What makes a good one, the service checks; here only that it can be one at all. */
export const password = z.string().min(1).max(1000);
export const linkToken = z.string().min(1).max(200).describe('What stands behind `#token=` in the link.');

export const me = z
  .object({
    user: z.object({ id, name: z.string(), email: z.string(), operator: z.boolean() }),
    workspaces: z.array(z.object({ id, name: z.string(), status: workspaceStatus, role })),
  })
  .meta({ id: 'Me' });

export const setupState = z
  .object({ needed: z.boolean().describe('True while there is nobody who could sign in.') })
  .meta({ id: 'SetupState' });
export const newSetup = strict({
  token: linkToken,
  name: personName,
  email,
  password,
  workspace_name: line(200),
}).meta({ id: 'NewSetup' });

export type Me = z.output<typeof me>;
