import { z } from 'zod';
import { call, json } from '../call.ts';
import { time } from '../shape.ts';

const count = z.int().nullable();

export const statementStates = ['problem', 'warning', 'ok'] as const;

const statement = z
  .object({
    id: z.string().describe('What it is about, such as `disk`. Stays the same when the text changes.'),
    state: z
      .enum(statementStates)
      .describe('`problem`: act now. `warning`: look at it soon. `ok`: nothing to do.'),
    text: z.string().describe('One sentence for people.'),
    advice: z.string().optional().describe('What to do.'),
    docs: z.string().optional().describe('The page of the documentation, as a path of this service.'),
  })
  .meta({ id: 'HealthStatement' });

const disk = z
  .object({
    folder: z.enum(['data', 'spool']).describe('`spool` is listed if it is on another disk.'),
    bytes_total: z.int(),
    bytes_available: z.int(),
  })
  .meta({ id: 'HealthDisk' });

/** Which process responded: behind a load balancer, each request may reach another one. */
const instance = z
  .object({
    host: z.string(),
    process_id: z.int(),
    role: z.string().describe('`ROLE` of this process.'),
    version: z.string(),
    started_at: time,
    uptime_seconds: z.int(),
  })
  .meta({ id: 'HealthInstance' });

const workers = z
  .object({
    configured: z.int().describe('`WORKERS` of the running service.'),
    running: z.int().describe('Workers that run and respond.'),
    restarts: z.int().describe('Workers that died and were started again, since the service started.'),
    seconds_since_restart: z.number().nullable().describe('Time since the last of them. Null without one.'),
  })
  .meta({ id: 'HealthWorkers' });

const health = z
  .object({
    statements: z.array(statement).describe('The state in sentences, problems and warnings first.'),
    instance,
    workers: workers
      .nullable()
      .describe('The processes of this instance, whose numbers are added up. Null if it has only one.'),
    database: z.object({ available: z.boolean().describe('False while leads go to the spool.') }),
    leads: z.object({
      per_second: z.number().nullable().describe('Leads accepted per second, over the last five minutes.'),
    }),
    commit: z
      .object({
        p50_ms: z.number().nullable(),
        p99_ms: z.number().nullable(),
      })
      .describe('How long commits took in the last five minutes, estimated; null without commits.'),
    commit_queue: z.object({ leads: z.int().describe('Leads waiting to be committed.') }),
    spool: z.object({
      leads: z.int(),
      bytes: z.int(),
      bytes_max: z.int(),
      usable: z.boolean(),
      quarantined: count.describe('Spooled leads that could not be stored.'),
      refused: count.describe('Those of them that wait for an operator to store or discard them.'),
    }),
    directory: z.object({
      age_seconds: z.number().describe('Time since forms, tokens and secrets were last confirmed current.'),
    }),
    enrichment: z.object({
      noted: count.describe('Commits whose leads are not in a job yet.'),
      waiting: count.describe('Jobs waiting to run.'),
      failed: count.describe('Jobs that failed permanently.'),
      oldest_seconds: z
        .number()
        .nullable()
        .describe('For how long the oldest job that is due has been waiting; null without one.'),
    }),
    disks: z.array(disk).describe('Empty if they cannot be read.'),
    clock: z.object({
      difference_ms: z
        .number()
        .nullable()
        .describe('Time of this machine minus time of the database. Null while the database is unavailable.'),
      leap_seconds: z
        .number()
        .describe('Size of a jump of the machine’s clock that the service does not follow yet.'),
    }),
  })
  .describe('The state of this instance. Counts from the database are null while it is unavailable.')
  .meta({ id: 'Health' });

const rate = z.number().nullable();

const healthPoint = z
  .object({
    at: time.describe('The end of the step.'),
    leads_per_second: z.number(),
    commit_p50_ms: rate.describe('Null without commits.'),
    commit_p99_ms: rate.describe('Null without commits.'),
    spool_leads: z.int().describe('The largest number in the step.'),
    queue_leads: z.int().describe('The largest number in the step.'),
    enrichment_waiting: count.describe('Jobs waiting to run. Null while the database is unavailable.'),
    disk_used_percent: rate.describe('Of the fullest disk. Null if it cannot be read.'),
  })
  .meta({ id: 'HealthPoint' });

const healthSeries = z
  .object({
    instance,
    workers: z.int().describe('How many processes of this instance the numbers are of: `WORKERS`.'),
    step_seconds: z.int(),
    points_max: z.int().describe('Older points are dropped. A restart drops all.'),
    points: z.array(healthPoint).describe('Oldest first. Empty after a start, until the first step is over.'),
  })
  .meta({ id: 'HealthSeries' });

export type Health = z.output<typeof health>;
export type HealthStatement = z.output<typeof statement>;
export type HealthSeries = z.output<typeof healthSeries>;
export type HealthPoint = z.output<typeof healthPoint>;

export const readHealth = call({
  method: 'get',
  path: '/operator/health',
  tag: 'Operator',
  summary: 'Read the health of the service',
  description:
    'The spool, queue, directory, disks and clock of the instance that responds, with all its workers, and the backlogs of all instances.',
  access: { by: 'operator', duringOutage: true },
  answer: json(200, health),
});

export const readHealthSeries = call({
  method: 'get',
  path: '/operator/health/series',
  tag: 'Operator',
  summary: 'Read the recent health of an instance',
  description: 'The last hour of the instance that responds, in steps of 30 seconds, kept in its memory.',
  access: { by: 'operator', duringOutage: true },
  answer: json(200, healthSeries),
});
