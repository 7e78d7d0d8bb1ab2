import { z } from 'zod';
import { eventTypes } from '../../domain/destination/destination.ts';
import { call, file, json } from '../call.ts';
import { id, strict, time } from '../shape.ts';

const eventsPerPageMax = 1_000;
const eventsPerPageDefault = 500;
export const waitSecondsMax = 25;

/** A cursor that stands for the newest event. */
export const latestEvent = 'latest';

const feedEvent = z
  .object({
    id: z.string().describe('The same as in the `webhook-id` header of its deliveries, without `msg_`.'),
    cursor: z.string().describe('Continues after this event.'),
    type: z.enum(eventTypes),
    at: time,
    submission_id: id.nullable(),
    data: z.record(z.string(), z.unknown()).nullable(),
  })
  .meta({ id: 'FeedEvent' });

export type FeedEvent = z.output<typeof feedEvent>;

export const eventsQuery = strict({
  after: z
    .string()
    .regex(/^(?:\d{1,18}|latest)$/, 'use the `next_cursor` of an earlier response, or `latest`')
    .optional()
    .describe(
      'The `next_cursor` of the previous response. `latest` starts with the next event. If left out, the feed starts with the oldest event kept.',
    ),
  limit: z.coerce
    .number<number | string>()
    .int()
    .min(1)
    .max(eventsPerPageMax)
    .default(eventsPerPageDefault)
    .describe('How many events to return.'),
  wait: z.coerce
    .number<number | string>()
    .int()
    .min(0)
    .max(waitSecondsMax)
    .default(0)
    .describe('How many seconds to wait for an event if there is none.'),
});

const eventPage = z
  .object({
    items: z.array(feedEvent),
    next_cursor: z.string().describe('Never null: keep it, and continue from there later.'),
  })
  .meta({ id: 'EventPage' });

const access = { by: 'member', scope: 'events:read' } as const;

export const listEvents = call({
  method: 'get',
  path: '/workspaces/:workspace_id/events',
  tag: 'Events',
  summary: 'Read the feed of events',
  description: [
    'Every event of the workspace, oldest first, without gaps, for 30 days. Read the lead of an event by its `submission_id`;',
    'a lead that was erased since is not found.',
  ].join(' '),
  access,
  expensive: 'stream',
  query: eventsQuery,
  answer: json(200, eventPage),
  problems: ['invalid_cursor'],
});

export const readEventLines = call({
  method: 'get',
  path: '/workspaces/:workspace_id/events/ndjson',
  tag: 'Events',
  summary: 'Read the feed of events as lines',
  description: 'The same events, one JSON object per line. Continue with the `cursor` of the last line.',
  access,
  expensive: 'stream',
  query: eventsQuery,
  answer: file('application/x-ndjson'),
  problems: ['invalid_cursor'],
});
