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
const auditQuery = strict(pageQuery);

export type AuditEntry = z.output<typeof auditEntry>;

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
  query: auditQuery,
  answer: page(operatorAuditPage),
});
