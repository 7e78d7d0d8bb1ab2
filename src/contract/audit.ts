import { z } from 'zod';
import { call, page } from './call.ts';
import { id, pageOf, pageQuery, strict, time } from './shape.ts';

const auditEntry = z
  .object({
    id,
    at: time,
    actor: z.object({
      kind: z.enum(['person', 'operator_key', 'nobody']),
      id: id.nullable(),
      name: z.string(),
    }),
    text: z.string().describe('What happened, in a sentence: "Ada Lovelace removed Max Weber".'),
    action: z
      .string()
      .describe(
        'The id of the operation in this document, for example `changeAForm`; or an event: `signIn`, `signInFailed`, `signInLimited`, `passwordChanged`, `accessRefused`, `operatorKeyWrong`.',
      ),
    target: z.record(z.string(), z.string()).describe('Ids of what was changed or made.'),
    changes: z
      .record(z.string(), z.unknown())
      .describe('The fields that were sent. Values are left out where they may be secret or long.'),
    address: z.string().nullable().describe('Where it came from; null where that is not known.'),
    count: z.int().describe('How often: events that repeat within an hour are one entry.'),
    outcome: z
      .enum(['done', 'unknown'])
      .describe('`unknown` when the service or its database went away before the end of the call.'),
  })
  .meta({ id: 'AuditEntry' });
const auditPage = pageOf(auditEntry).meta({ id: 'AuditPage' });
const operatorAuditPage = pageOf(
  auditEntry.extend({ workspace_id: id.nullable() }).meta({ id: 'OperatorAuditEntry' }),
).meta({ id: 'OperatorAuditPage' });
const auditQuery = strict(pageQuery);

export type AuditEntry = z.output<typeof auditEntry>;

export const listAudit = call({
  method: 'get',
  path: '/workspaces/:workspace_id/audit',
  tag: 'Audit log',
  summary: 'List who changed what',
  description:
    'Every call that changed something, exported leads or showed a secret, and the sign-ins and refusals of the people of the workspace, newest first. Secrets and values of leads are never in it.',
  access: { by: 'owner' },
  expensive: 'call',
  query: auditQuery,
  answer: page(auditPage),
});

export const listOperatorAudit = call({
  method: 'get',
  path: '/operator/audit',
  tag: 'Operator',
  summary: 'List what operators did',
  description:
    'Every call that only an operator may make, with the workspace it concerned, and security events that concern no workspace, newest first.',
  access: { by: 'operator' },
  expensive: 'call',
  query: auditQuery,
  answer: page(operatorAuditPage),
});
