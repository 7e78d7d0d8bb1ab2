import { z } from 'zod';
import { workspaceCreations } from '../domain/workspace.ts';
import { email } from './account.ts';
import { id, strict } from './shape.ts';

export const operatorChange = strict({ email, operator: z.boolean() }).meta({ id: 'OperatorChange' });
export const operatorPerson = z
  .object({ id, name: z.string(), email: z.string(), operator: z.boolean() })
  .meta({ id: 'OperatorPerson' });

const workspaceCreation = z.enum(workspaceCreations);
export const instanceSettings = z
  .object({
    workspace_creation: workspaceCreation.describe('Who may create workspaces. What applies now.'),
    workspace_creation_chosen: workspaceCreation
      .nullable()
      .describe(
        'Null until an operator chooses. Then it is `operators` once somebody is one, else `everyone`.',
      ),
  })
  .meta({ id: 'InstanceSettings' });
export const instanceSettingsChange = strict({
  workspace_creation: workspaceCreation.nullable().describe('Null goes back to the default.'),
}).meta({ id: 'InstanceSettingsChange' });

const count = z.int().nullable();

export const health = z
  .object({
    database: z.object({ available: z.boolean().describe('False while leads go to the spool.') }),
    commit_queue: z.object({ leads: z.int().describe('Leads that wait for their commit.') }),
    spool: z.object({
      leads: z.int(),
      bytes: z.int(),
      bytes_max: z.int(),
      usable: z.boolean(),
      quarantined: count.describe('Spooled leads that PostgreSQL did not take.'),
    }),
    directory: z.object({
      age_seconds: z.number().describe('Time since forms, tokens and secrets were last known to be current.'),
    }),
    enrichment: z.object({
      noted: count.describe('Commits whose leads are not yet in a job.'),
      waiting: count.describe('Jobs that wait for their turn.'),
      failed: count.describe('Jobs that failed for good.'),
    }),
  })
  .describe('The state of this instance. Counts from the database are null while it does not answer.')
  .meta({ id: 'Health' });

export type InstanceSettings = z.output<typeof instanceSettings>;
export type Health = z.output<typeof health>;
