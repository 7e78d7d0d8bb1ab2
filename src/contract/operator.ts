import { z } from 'zod';
import { email } from './account.ts';
import { id, strict } from './shape.ts';

export const operatorChange = strict({ email, operator: z.boolean() }).meta({ id: 'OperatorChange' });
export const operatorPerson = z
  .object({ id, name: z.string(), email: z.string(), operator: z.boolean() })
  .meta({ id: 'OperatorPerson' });

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

export type Health = z.output<typeof health>;
