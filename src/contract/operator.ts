import { z } from 'zod';
import { surfaces } from '../domain/surface.ts';
import { workspaceCreations } from '../domain/workspace.ts';
import { call, json, none, page } from './call.ts';
import { unattributed, unattributedQuery } from './diagnostics.ts';
import { role } from './people.ts';
import { id, line, pageOf, pageQuery, strict, time } from './shape.ts';

const whyNotByEmail =
  'an address does not prove who somebody is: find the person with GET /api/v1/operator/people?q=, check who they are, and send person_id';

const operatorChange = z
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
const operatorPerson = z
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
const operatorPeoplePage = pageOf(operatorPerson).meta({ id: 'OperatorPeoplePage' });
const operatorPeopleQuery = strict({
  ...pageQuery,
  q: line(254).optional().describe('Part of a name or an address, or an id.'),
  operator: z
    .enum(['true', 'false'])
    .transform((text) => text === 'true')
    .optional()
    .describe('Only operators, or only others.'),
});

const workspaceCreation = z.enum(workspaceCreations);
const instanceSettings = z
  .object({
    workspace_creation: workspaceCreation.describe('Who may create workspaces. What applies now.'),
    workspace_creation_chosen: workspaceCreation
      .nullable()
      .describe(
        'Null until an operator chooses. Then it is `operators` once somebody is one, else `everyone`.',
      ),
  })
  .meta({ id: 'InstanceSettings' });
const instanceSettingsChange = strict({
  workspace_creation: workspaceCreation.nullable().describe('Null goes back to the default.'),
}).meta({ id: 'InstanceSettingsChange' });

const count = z.int().nullable();

const health = z
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

const quarantineKinds = ['refused', 'other_body'] as const;

const kind = z
  .enum(quarantineKinds)
  .describe(
    '`refused`: PostgreSQL did not take the lead; it waits until an operator stores or discards it. `other_body`: its idempotency key belongs to a lead with another body; it expires.',
  );

const quarantinedLead = z
  .object({
    id,
    kind,
    reason: z.string().nullable().describe('What PostgreSQL had against it, where it is known.'),
    workspace_id: id,
    workspace_name: z.string(),
    form_id: id.nullable().describe('Null in rows of earlier versions.'),
    submission_id: id.describe('What its sender was told.'),
    surface: z.enum(surfaces),
    received_at: time,
    quarantined_at: time,
    expires_at: time.nullable(),
    bytes: z.int().describe('Of the body, which operators do not see.'),
  })
  .meta({ id: 'QuarantinedLead' });
const quarantinePage = pageOf(quarantinedLead).meta({ id: 'QuarantinePage' });
const quarantineQuery = strict({ ...pageQuery, kind: kind.optional() });

const quarantineStoring = strict({
  form_id: id.optional().describe('For a row of an earlier version, which does not know its form.'),
}).meta({ id: 'QuarantineStoring' });

export type QuarantinedLead = z.output<typeof quarantinedLead>;

export const countUnattributed = call({
  method: 'get',
  path: '/operator/unattributed',
  tag: 'Operator',
  summary: 'Count the rejections that name no workspace',
  access: { by: 'operator' },
  query: unattributedQuery,
  answer: json(200, unattributed),
});

export const readHealth = call({
  method: 'get',
  path: '/operator/health',
  tag: 'Operator',
  summary: 'Read the health of the service',
  description: 'Spool, queue and directory of the instance that answers; the backlogs of all.',
  access: { by: 'operator' },
  answer: json(200, health),
});

export const readInstanceSettings = call({
  method: 'get',
  path: '/operator/settings',
  tag: 'Operator',
  summary: 'Read the settings of the service',
  access: { by: 'operator' },
  answer: json(200, instanceSettings),
});

export const changeInstanceSettings = call({
  method: 'put',
  path: '/operator/settings',
  tag: 'Operator',
  summary: 'Change the settings of the service',
  access: { by: 'operator' },
  audited: ['workspace_creation'],
  body: instanceSettingsChange,
  answer: json(200, instanceSettings),
});

export const listPeople = call({
  method: 'get',
  path: '/operator/people',
  tag: 'Operator',
  summary: 'List and find people',
  description: 'Everybody who has an account, with what helps to tell who they are, newest first.',
  access: { by: 'operator' },
  expensive: 'call',
  query: operatorPeopleQuery,
  answer: page(operatorPeoplePage),
});

export const readPerson = call({
  method: 'get',
  path: '/operator/people/:person_id',
  tag: 'Operator',
  summary: 'Read who a person is',
  access: { by: 'operator' },
  answer: json(200, operatorPerson),
});

export const changeOperator = call({
  method: 'post',
  path: '/operator/people',
  tag: 'Operator',
  summary: 'Make a person an operator, or no longer one',
  description:
    'Operators see all workspaces, suspend and resume them; they do not see into them. Check first who the person is: name and address are what they typed themselves. An operator can give up their own rights; to take those of another, use the operator key. Links that somebody made as an operator end with their rights.',
  access: { by: 'operator' },
  audited: ['person_id', 'operator'],
  body: operatorChange,
  answer: json(200, operatorPerson),
  problems: ['not_found'],
});

export const listQuarantine = call({
  method: 'get',
  path: '/operator/quarantine',
  tag: 'Operator',
  summary: 'List the quarantine',
  description: 'Spooled leads that could not be stored, newest first. Bodies are not shown.',
  access: { by: 'operator' },
  query: quarantineQuery,
  answer: page(quarantinePage),
});

export const readQuarantined = call({
  method: 'get',
  path: '/operator/quarantine/:quarantine_id',
  tag: 'Operator',
  summary: 'Read a row of the quarantine',
  access: { by: 'operator' },
  answer: json(200, quarantinedLead),
});

export const storeQuarantined = call({
  method: 'post',
  path: '/operator/quarantine/:quarantine_id/store',
  tag: 'Operator',
  summary: 'Store a quarantined lead',
  description: [
    'The lead is stored under the id its sender was told, with the score it had, and the row is gone. While PostgreSQL still refuses it:',
    '`409` with the reason.',
  ].join(' '),
  access: { by: 'operator' },
  audit: 'itself',
  body: quarantineStoring,
  answer: none,
  problems: ['not_storable'],
});

export const discardQuarantined = call({
  method: 'post',
  path: '/operator/quarantine/:quarantine_id/discard',
  tag: 'Operator',
  summary: 'Discard a quarantined lead',
  description: 'The lead is gone for good, although its sender was told that it is stored.',
  access: { by: 'operator' },
  audit: 'itself',
  answer: none,
});
