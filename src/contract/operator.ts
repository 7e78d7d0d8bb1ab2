import { z } from 'zod';
import { workspaceCreations } from '../domain/workspace.ts';
import { role } from './account.ts';
import { pageOf, pageQuery } from './paging.ts';
import { id, line, strict, time } from './shape.ts';

const whyNotByEmail =
  'an address does not prove who somebody is: find the person with GET /api/v1/operator/people?q=, check who they are, and send person_id';

export const operatorChange = z
  .strictObject(
    { person_id: id, operator: z.boolean() },
    {
      error: (issue) => {
        if (issue.code !== 'unrecognized_keys') return undefined;
        const isOld = (issue.keys as readonly string[]).includes('email');
        return isOld ? whyNotByEmail : 'unknown field; known fields: person_id, operator';
      },
    },
  )
  .meta({ id: 'OperatorChange' });
export const operatorPerson = z
  .object({
    id,
    name: z.string(),
    email: z.string().describe('As whoever made the account typed it. It proves nothing.'),
    operator: z.boolean(),
    created_at: time,
    invited_by: z
      .object({
        kind: z.enum(['person', 'operator_key', 'setup']),
        id: id.nullable(),
        name: z.string().nullable(),
        email: z.string().nullable(),
      })
      .nullable()
      .describe(
        'Whose invitation made the account, as they were called then. `setup` for the first person. Null when not known.',
      ),
    workspaces: z.array(z.object({ id, name: z.string(), role })).describe('The first 20 they joined.'),
    workspace_count: z.int(),
  })
  .meta({ id: 'OperatorPerson' });
export const operatorPeoplePage = pageOf(operatorPerson).meta({ id: 'OperatorPeoplePage' });
export const operatorPeopleQuery = strict({
  ...pageQuery,
  q: line(254).optional().describe('Part of a name or an address, or an id.'),
  operator: z
    .enum(['true', 'false'])
    .transform((text) => text === 'true')
    .optional()
    .describe('Only operators, or only others.'),
});

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
      quarantined: count.describe('Spooled leads that could not be stored.'),
      refused: count.describe('Those of them that wait until an operator stores or discards them.'),
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
export type OperatorPerson = z.output<typeof operatorPerson>;
