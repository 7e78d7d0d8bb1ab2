import { z } from 'zod';
import { heldDaysMax } from '../../domain/held/held-bounds.ts';
import { changes, id, line, lineToFind, pageOf, pageQuery, strict, time } from '../shape.ts';

const name = line(200);
const heldDays = z
  .int()
  .min(0)
  .max(heldDaysMax)
  .describe('For how many days rejected submissions are held; 0 for not at all.');
export const workspaceStatus = z.enum(['active', 'suspended']);

export const workspace = z
  .object({
    id,
    name: z.string(),
    status: workspaceStatus,
    created_at: time,
    suspension: z
      .object({
        since: time,
        by: z
          .string()
          .nullable()
          .describe(
            'Who suspended it: an email address, or `operator` for the operator key. Null if unknown.',
          ),
        reason: z.string().nullable(),
      })
      .nullable()
      .describe('Null while the workspace is active.'),
    held_days: heldDays,
  })
  .meta({ id: 'Workspace' });
export const workspacePage = pageOf(workspace).meta({ id: 'WorkspacePage' });
export const newWorkspace = strict({ name }).meta({ id: 'NewWorkspace' });
export const workspaceChanges = changes(
  {
    name: name.optional(),
    status: workspaceStatus.optional().describe('Operators only.'),
    held_days: heldDays
      .optional()
      .describe(
        'Owners only. For how many days rejected submissions are held; 0 for not at all. If there are fewer than before, those held now are deleted sooner.',
      ),
    reason: line(500).optional().describe('Why the workspace is suspended. Its people see this.'),
  },
  ['reason'],
).meta({ id: 'WorkspaceChanges' });
export const workspaceListQuery = strict({
  ...pageQuery,
  q: lineToFind(200).optional().describe('Part of a name, or an ID.'),
  status: workspaceStatus.optional().describe('Only workspaces with this status.'),
});

export type WorkspaceChanges = z.output<typeof workspaceChanges>;
export type Workspace = z.output<typeof workspace>;
