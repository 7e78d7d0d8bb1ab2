import { z } from 'zod';
import { call, json } from '../call.ts';
import { id, time } from '../shape.ts';

const access = { by: 'owner', scope: 'alarms:read' } as const;

const rhythm = z
  .object({
    form_id: id,
    time_zone: z.string(),
    state: z
      .enum(['watched', 'learning', 'too_few', 'inactive', 'off'])
      .describe(
        '`learning`: less than two weeks of leads. `too_few`: fewer than five a week. `inactive`: the form or its workspace accepts none. `off`: turned off in the alarm settings.',
      ),
    notice_hours: z
      .number()
      .nullable()
      .describe('After about how many hours without a lead an alarm would be raised; null if it would not.'),
    silent_days: z
      .int()
      .nullable()
      .describe(
        'Owners are told after this many days without a lead, even if an alarm would be raised later or not at all.',
      ),
    sensitive: z.boolean(),
    weeks: z.number().describe('How many weeks of history were learnt from; at most 8.'),
    leads_per_week: z.number(),
    last_accepted_at: time.nullable(),
    expected: z
      .array(z.number())
      .nullable()
      .describe('Expected leads in each hour of the week, from Monday 00:00 in the time zone.'),
    computed_at: time.nullable(),
  })
  .meta({ id: 'FormRhythm' });

const driftPoint = z.object({
  at: time.describe('The start of the hour.'),
  requests: z.int(),
  median_seconds: z.number(),
  p95_seconds: z.number(),
});

const clockDrift = z
  .object({
    form_id: id,
    requests: z
      .int()
      .describe('Correctly signed requests of the last 24 hours, also those that were too old.'),
    median_seconds: z.number().nullable().describe('Our time minus the signed time; null without requests.'),
    p95_seconds: z
      .number()
      .nullable()
      .describe(
        'The difference that 95 % of the requests stay within; it has the sign of the side that is further off.',
      ),
    shape: z
      .enum(['ok', 'clock', 'queue'])
      .nullable()
      .describe('`clock`: all requests are off alike. `queue`: some are much later than the others.'),
    window_seconds: z.int().describe('How far a signed time may be off.'),
    alarm_seconds: z
      .object({ medium: z.int(), high: z.int() })
      .describe('From which `p95_seconds` on, in either direction, an alarm of this severity opens.'),
    hours: z.array(driftPoint).describe('The last 24 hours; those without requests are left out.'),
  })
  .meta({ id: 'FormClockDrift' });

export type FormRhythm = z.output<typeof rhythm>;
export type FormClockDrift = z.output<typeof clockDrift>;

export const readRhythm = call({
  method: 'get',
  path: '/workspaces/:workspace_id/forms/:form_id/rhythm',
  tag: 'Alarms',
  summary: 'Read when a form usually gets leads',
  access,
  answer: json(200, rhythm),
});

export const readClockDrift = call({
  method: 'get',
  path: '/workspaces/:workspace_id/forms/:form_id/clock-drift',
  tag: 'Alarms',
  summary: "Read how far the clock of a form's sender is off",
  access,
  answer: json(200, clockDrift),
});
