import { z } from 'zod';
import { surfaces } from '../domain/surface.ts';
import { workspaceCreations } from '../domain/workspace.ts';
import { call, json, none, page } from './call.ts';
import { unattributed, unattributedQuery } from './diagnostics.ts';
import { role } from './people.ts';
import { id, lineToFind, pageOf, pageQuery, strict, time } from './shape.ts';

const whyNotByEmail =
  'an email address does not prove identity: find the person with GET /api/v1/operator/people?q=, check who they are, and send person_id';

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
    email: z.string().describe('As typed when the account was created. It does not prove identity.'),
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
        'Who sent the invitation that created the account, by their name at the time. `setup` for the first person. Null if unknown.',
      ),
    workspaces: z.array(z.object({ id, name: z.string(), role })).describe('The first 20 they joined.'),
    workspace_count: z.int(),
  })
  .meta({ id: 'OperatorPerson' });
const operatorPeoplePage = pageOf(operatorPerson).meta({ id: 'OperatorPeoplePage' });
const operatorPeopleQuery = strict({
  ...pageQuery,
  q: lineToFind(254).optional().describe('Part of a name or email address, or an ID.'),
  operator: z
    .enum(['true', 'false'])
    .transform((text) => text === 'true')
    .optional()
    .describe('`true` for operators only, `false` for others only.'),
});

const workspaceCreation = z.enum(workspaceCreations);
const instanceSettings = z
  .object({
    workspace_creation: workspaceCreation.describe('Who can create workspaces now.'),
    workspace_creation_chosen: workspaceCreation
      .nullable()
      .describe(
        'Null until an operator chooses. The default is `operators` once there is an operator, otherwise `everyone`.',
      ),
  })
  .meta({ id: 'InstanceSettings' });
const instanceSettingsChange = strict({
  workspace_creation: workspaceCreation.nullable().describe('Null restores the default.'),
}).meta({ id: 'InstanceSettingsChange' });

export type InstanceSettings = z.output<typeof instanceSettings>;
export type OperatorPerson = z.output<typeof operatorPerson>;

const quarantineKinds = ['refused', 'other_body'] as const;

const kind = z
  .enum(quarantineKinds)
  .describe(
    '`refused`: PostgreSQL refused the lead; it waits for an operator to store or discard it. `other_body`: its idempotency key belongs to a lead with a different body; it expires.',
  );

const quarantinedLead = z
  .object({
    id,
    kind,
    reason: z.string().nullable().describe('Why PostgreSQL refused it, if known.'),
    workspace_id: id,
    workspace_name: z.string(),
    form_id: id.nullable().describe('Null for leads quarantined by earlier versions.'),
    submission_id: id.describe('The ID that its sender received.'),
    surface: z.enum(surfaces),
    received_at: time,
    quarantined_at: time,
    expires_at: time.nullable(),
    bytes: z.int().describe('The size of the body, which operators cannot see.'),
  })
  .meta({ id: 'QuarantinedLead' });
const quarantinePage = pageOf(quarantinedLead).meta({ id: 'QuarantinePage' });
const quarantineQuery = strict({ ...pageQuery, kind: kind.optional() });

const quarantineStoring = strict({
  form_id: id
    .optional()
    .describe('For a lead quarantined by an earlier version, which did not record its form.'),
}).meta({ id: 'QuarantineStoring' });

export type QuarantinedLead = z.output<typeof quarantinedLead>;

export const countUnattributed = call({
  method: 'get',
  path: '/operator/unattributed',
  tag: 'Operator',
  summary: 'Count rejections without a workspace',
  operation: 'countTheRejectionsThatNameNoWorkspace',
  access: { by: 'operator' },
  query: unattributedQuery,
  answer: json(200, unattributed),
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
  summary: 'List people',
  operation: 'listAndFindPeople',
  description: 'Everyone with an account, with details that help you identify them, newest first.',
  access: { by: 'operator' },
  expensive: 'call',
  query: operatorPeopleQuery,
  answer: page(operatorPeoplePage),
});

export const readPerson = call({
  method: 'get',
  path: '/operator/people/:person_id',
  tag: 'Operator',
  summary: 'Read a person',
  operation: 'readWhoAPersonIs',
  access: { by: 'operator' },
  answer: json(200, operatorPerson),
});

export const changeOperator = call({
  method: 'post',
  path: '/operator/people',
  tag: 'Operator',
  summary: 'Grant or revoke operator permissions',
  operation: 'makeAPersonAnOperatorOrNoLongerOne',
  description:
    'Operators can list, suspend and resume all workspaces, but cannot see what is in them. First check who the person is: they typed the name and email address themselves. Operators can revoke their own permissions; revoking those of others needs the operator key. Links that a person created as an operator end with their permissions.',
  access: { by: 'operator' },
  proof: 'password',
  audited: ['person_id', 'operator'],
  body: operatorChange,
  answer: json(200, operatorPerson),
  problems: ['not_found'],
});

export const listQuarantine = call({
  method: 'get',
  path: '/operator/quarantine',
  tag: 'Operator',
  summary: 'List quarantined leads',
  operation: 'listTheQuarantine',
  description: 'Spooled leads that could not be stored, newest first. Bodies are not shown.',
  access: { by: 'operator' },
  query: quarantineQuery,
  answer: page(quarantinePage),
});

export const readQuarantined = call({
  method: 'get',
  path: '/operator/quarantine/:quarantine_id',
  tag: 'Operator',
  summary: 'Read a quarantined lead',
  operation: 'readARowOfTheQuarantine',
  access: { by: 'operator' },
  answer: json(200, quarantinedLead),
});

export const storeQuarantined = call({
  method: 'post',
  path: '/operator/quarantine/:quarantine_id/store',
  tag: 'Operator',
  summary: 'Store a quarantined lead',
  description: [
    'Stores the lead with its submission ID and its score, and removes it from the quarantine. If PostgreSQL still refuses it,',
    'the response is `409` with the reason.',
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
  description: 'Permanently deletes the lead, although its sender was told that it was accepted.',
  access: { by: 'operator' },
  audit: 'itself',
  answer: none,
});
