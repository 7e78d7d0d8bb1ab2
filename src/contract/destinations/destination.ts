import { z } from 'zod';
import {
  destinationKinds,
  destinationStatuses,
  disabledReasons,
  formats,
  sendWhens,
  subscribableEvents,
} from '../../domain/destination/destination.ts';
import { id, time } from '../shape.ts';
import { filter } from './filter.ts';
import { mapping } from './mapping.ts';

/** Nobody needs to know more exactly, and counting millions takes long. */
export const countMax = 10_000;

const day = z
  .object({
    delivered: z.int(),
    waiting: z.int().describe('All that wait now, however long.'),
    dead: z.int().describe('Those whose last attempt failed.'),
    oldest_waiting_at: time.nullable().describe('When the oldest delivery that waits was created.'),
    p95_ms: z.int().nullable().describe('95 % of the last responses took no longer.'),
  })
  .meta({ id: 'DestinationDay' });

const health = z
  .object({
    consecutive_failures: z.int(),
    failing_since: time.nullable(),
    next_probe_at: time
      .nullable()
      .describe('After ten failures in a row only one delivery is tried, at this time.'),
    last_error: z.string().nullable().describe('Why the last attempt failed; null if it succeeded.'),
  })
  .meta({ id: 'DestinationHealth' });

export const destination = z
  .object({
    id,
    name: z.string(),
    kind: z.enum(destinationKinds),
    status: z.enum(destinationStatuses),
    disabled_reason: z.enum(disabledReasons).nullable(),
    url: z.string(),
    form_ids: z.array(id).nullable(),
    events: z.array(z.enum(subscribableEvents)),
    filter,
    mapping,
    format: z.enum(formats),
    headers: z.array(z.string()).describe('Names only; the values are never shown.'),
    send_when: z.enum(sendWhens),
    wait_max_s: z.int(),
    per_second: z.number(),
    previous_secret_valid_until: time
      .nullable()
      .describe('During a rotation, requests are signed with both secrets until this time.'),
    version: z.int().describe('Grows with each change.'),
    created_at: time,
    created_by: z.string(),
    updated_at: time,
    updated_by: z.string(),
    last_day: day.describe(`The last 24 hours. Each number is at most ${countMax}: there may be more.`),
    health,
  })
  .meta({ id: 'Destination' });

export const destinationTest = z
  .object({
    delivered: z.boolean(),
    status: z.int().nullable().describe('The status of the response; null without one.'),
    error: z.string().nullable().describe('Why it was not delivered.'),
    took_ms: z.int(),
    response_head: z
      .string()
      .nullable()
      .describe('The first 2 KB of the response; null for hosts that only the operator can open.'),
    request: z.object({ headers: z.record(z.string(), z.string()), body: z.string() }),
  })
  .meta({ id: 'DestinationTest' });

export const dryRunLeads = 500;
export const dryRunExamples = 3;
export const dryRun = z
  .object({
    checked: z.int().describe(`How many of the newest leads were checked, at most ${dryRunLeads}.`),
    matching: z.int(),
    examples: z
      .array(z.object({ submission_id: id, body: z.string().describe('As it would be sent.') }))
      .describe(`The newest ${dryRunExamples} that match.`),
  })
  .meta({ id: 'DestinationDryRun' });
