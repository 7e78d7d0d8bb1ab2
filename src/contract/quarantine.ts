import { z } from 'zod';
import { surfaces } from '../domain/surface.ts';
import { pageOf, pageQuery } from './paging.ts';
import { id, strict, time } from './shape.ts';

export const quarantineKinds = ['refused', 'other_body'] as const;

const kind = z
  .enum(quarantineKinds)
  .describe(
    '`refused`: PostgreSQL did not take the lead; it waits until an operator stores or discards it. `other_body`: its idempotency key belongs to a lead with another body; it expires.',
  );

export const quarantinedLead = z
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
export const quarantinePage = pageOf(quarantinedLead).meta({ id: 'QuarantinePage' });
export const quarantineQuery = strict({ ...pageQuery, kind: kind.optional() });

export const quarantineStoring = strict({
  form_id: id.optional().describe('For a row of an earlier version, which does not know its form.'),
}).meta({ id: 'QuarantineStoring' });

export type QuarantinedLead = z.output<typeof quarantinedLead>;
