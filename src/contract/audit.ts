import { z } from 'zod';
import { call, page } from './call.ts';
import { id, pageOf, pageQuery, strict, time, timeInput } from './shape.ts';

/** Groups of actions, for a filter. */
export const auditGroups = [
  'account',
  'workspace',
  'people',
  'forms',
  'tokens',
  'keys',
  'destinations',
  'leads',
  'scoring',
  'enrichment',
  'diagnostics',
  'operator',
  'refused',
] as const;
export type AuditGroup = (typeof auditGroups)[number];

const subject = z
  .object({
    kind: z.enum([
      'person',
      'form',
      'token',
      'api_key',
      'destination',
      'lead',
      'view',
      'invitation',
      'workspace',
    ]),
    id: id.nullable(),
    name: z.string().nullable().describe('As it was at the time, if known. Leads have no name.'),
  })
  .describe('What it was done to; null if the sentence names nothing.')
  .meta({ id: 'AuditSubject' });

const auditEntry = z
  .object({
    id,
    at: time,
    actor: z.object({
      kind: z.enum(['person', 'operator_key', 'api_key', 'nobody']),
      id: id.nullable(),
      name: z.string(),
    }),
    text: z.string().describe('What happened, in a sentence: "Ada Lovelace removed Max Weber".'),
    subject: subject.nullable(),
    series: z
      .object({ before: z.string(), after: z.string() })
      .describe(
        'How to write several of these in one line: `before`, their number, `after`. Neighbours with the same series are equal actions: "Ada marked ", 14, " leads as spam".',
      ),
    action: z
      .string()
      .describe(
        'The operation ID in this document, such as `changeAForm`, or an event: `signIn`, `signInFailed`, `signInLimited`, `passwordChanged`, `passwordConfirmed`, `passwordCheckFailed`, `accessRefused`, `operatorKeyWrong`.',
      ),
    target: z.record(z.string(), z.string()).describe('IDs of what was changed or created.'),
    changes: z
      .record(z.string(), z.unknown())
      .describe('The fields that were sent. Values that may be secret or long are left out.'),
    address: z.string().nullable().describe('The IP address it came from; null if unknown.'),
    count: z.int().describe('How many times it happened: events that repeat within an hour share an entry.'),
    outcome: z
      .enum(['done', 'unknown'])
      .describe('`unknown` if the service or its database failed before the call ended.'),
  })
  .meta({ id: 'AuditEntry' });
const auditPage = pageOf(auditEntry).meta({ id: 'AuditPage' });
const operatorAuditPage = pageOf(
  auditEntry.extend({ workspace_id: id.nullable() }).meta({ id: 'OperatorAuditEntry' }),
).meta({ id: 'OperatorAuditPage' });
const auditFilters = {
  actor: z
    .union([z.enum(['operator_key', 'nobody']), id], {
      error: 'use the ID of a person or an API key, operator_key or nobody',
    })
    .optional()
    .describe(
      'Who did it: the ID of a person or an API key, `operator_key`, or `nobody` for unauthenticated senders.',
    ),
  action: z
    .string()
    .regex(/^[A-Za-z]{1,100}$/, 'use an action or a group of actions')
    .optional()
    .describe(`An \`action\`, or a group of them: ${auditGroups.map((group) => `\`${group}\``).join(', ')}.`),
  from: timeInput.optional().describe('Entries since this time.'),
  to: timeInput.optional().describe('Entries before this time.'),
};
const auditQuery = strict({ ...pageQuery, ...auditFilters });
const operatorAuditQuery = strict({
  ...pageQuery,
  ...auditFilters,
  workspace_id: id.optional().describe('Entries that concern this workspace.'),
});

export type AuditEntry = z.output<typeof auditEntry>;
export type AuditQuery = z.output<typeof auditQuery>;
/** The filters, as a client sends them. */
export type AuditInput = Omit<z.input<typeof auditQuery>, 'limit' | 'cursor'>;

export const listAudit = call({
  method: 'get',
  path: '/workspaces/:workspace_id/audit',
  tag: 'Audit log',
  summary: 'List audit log entries',
  operation: 'listWhoChangedWhat',
  description:
    'Every call that changed something, exported leads or showed a secret, and the sign-ins and denied calls of the people in the workspace, newest first. Secrets and lead values are never included.',
  access: { by: 'owner' },
  expensive: 'call',
  query: auditQuery,
  answer: page(auditPage),
});

export const listOperatorAudit = call({
  method: 'get',
  path: '/operator/audit',
  tag: 'Operator',
  summary: 'List operator actions',
  operation: 'listWhatOperatorsDid',
  description:
    'Every call that only operators can make, with the workspace it concerned, and security events that concern no workspace, newest first.',
  access: { by: 'operator' },
  expensive: 'call',
  query: operatorAuditQuery,
  answer: page(operatorAuditPage),
});
