import { z } from 'zod';
import { deliveryStates, eventTypes } from '../../domain/destination/destination.ts';
import { call, json, page } from '../call.ts';
import { id, pageOf, pageQuery, strict, time, timeInput } from '../shape.ts';

const selection = {
  destination_id: id.optional().describe('Only deliveries to this destination, even if it was deleted.'),
  state: z.enum(deliveryStates).optional().describe('Only deliveries in this state.'),
  from: timeInput.optional().describe('Created at this time or later.'),
  to: timeInput.optional().describe('Created before this time.'),
};

const delivery = z
  .object({
    id,
    destination_id: id,
    destination_name: z.string().nullable().describe('Null if the destination was deleted.'),
    submission_id: id.nullable(),
    event: z.enum(eventTypes),
    event_id: z.string().describe('The `webhook-id` header without `msg_`; the same in every attempt.'),
    event_at: time,
    state: z.enum(deliveryStates),
    attempts: z.int(),
    next_attempt_at: time.nullable().describe('Null unless the state is `pending`.'),
    last_status: z.int().nullable(),
    last_error: z.string().nullable(),
    last_ms: z.int().nullable(),
    created_at: time,
    delivered_at: time.nullable(),
    replay_of: id.nullable().describe('The delivery that was sent again.'),
  })
  .meta({ id: 'Delivery' });

const attempt = z
  .object({
    n: z.int(),
    at: time,
    took_ms: z.int(),
    status: z.int().nullable(),
    error: z.string().nullable(),
    response_head: z
      .string()
      .nullable()
      .describe('The first 2 KB of the response; null for hosts that only the operator can open.'),
  })
  .meta({ id: 'DeliveryAttempt' });

const wholeDelivery = delivery
  .extend({
    tries: z.array(attempt).describe('Oldest first; kept for 30 days.'),
    request: z
      .object({
        url: z.string().nullable().describe('Null if it is a secret, or if there is none.'),
        headers: z.record(z.string(), z.string()),
        body: z.string(),
      })
      .nullable()
      .describe(
        'As it would be sent now, without signature and own headers. Null if the lead or the destination is gone.',
      ),
  })
  .meta({ id: 'WholeDelivery' });

const deliveryPage = pageOf(delivery).meta({ id: 'DeliveryPage' });

const newReplay = strict({
  filter: strict(selection).describe('Which deliveries to send again.'),
  dry_run: z.boolean().default(false).describe('Only count them.'),
}).meta({ id: 'NewReplay' });

const replay = z
  .object({
    id: id.nullable().describe('Null for a dry run.'),
    total: z.int(),
    done: z.int(),
    created_at: time.nullable(),
    finished_at: time.nullable(),
  })
  .meta({ id: 'Replay' });

export type Delivery = z.output<typeof delivery>;
export type WholeDelivery = z.output<typeof wholeDelivery>;
export type DeliverySelection = z.output<typeof newReplay>['filter'];
export type Replay = z.output<typeof replay>;

const tag = 'Deliveries';
const mayRead = { by: 'member', scope: 'destinations:read' } as const;
const mayReplay = { by: 'owner', scope: ['destinations:write', 'leads:read'] } as const;

export const listDeliveries = call({
  method: 'get',
  path: '/workspaces/:workspace_id/deliveries',
  tag,
  summary: 'List deliveries',
  description: 'Kept for 90 days, or as long as the lead.',
  access: mayRead,
  expensive: 'call',
  query: strict({
    ...selection,
    submission_id: id.optional().describe('Only deliveries of this lead.'),
    ...pageQuery,
  }),
  answer: page(deliveryPage),
});

export const replayDeliveries = call({
  method: 'post',
  path: '/workspaces/:workspace_id/deliveries/replays',
  tag,
  summary: 'Send a selection of deliveries again',
  description: [
    'Count them with `dry_run` first. They are sent in the background, at the pace of their destinations and after what is',
    'due, with the `webhook-id` that they had. Deliveries that still wait are left out, and so are those whose lead or',
    'destination no longer exists and those that were sent again before: their replays count instead. Up to 100,000 at a',
    'time. While the same selection is in progress, the same request returns it.',
  ].join(' '),
  access: mayReplay,
  audited: ['filter', 'dry_run'],
  expensive: 'call',
  body: newReplay,
  answer: json(202, replay),
  problems: ['quota_reached'],
});

export const readReplay = call({
  method: 'get',
  path: '/workspaces/:workspace_id/deliveries/replays/:replay_id',
  tag,
  summary: 'Read the progress of a replay',
  access: mayRead,
  answer: json(200, replay),
});

export const readDelivery = call({
  method: 'get',
  path: '/workspaces/:workspace_id/deliveries/:delivery_id',
  tag,
  summary: 'Read a delivery',
  access: { by: 'owner', scope: ['destinations:read', 'leads:read'] },
  // The URL often contains a secret.
  secret: true,
  answer: json(200, wholeDelivery),
});

export const replayDelivery = call({
  method: 'post',
  path: '/workspaces/:workspace_id/deliveries/:delivery_id/replay',
  tag,
  summary: 'Send a delivery again',
  description: [
    'Adds a delivery of the same event, with the same `webhook-id`, and returns its ID. One that still waits is sent now',
    'instead, and so is a replay of it that still waits or is less than two seconds old.',
  ].join(' '),
  access: mayReplay,
  problems: ['not_replayable'],
  answer: json(202, z.object({ id }).meta({ id: 'ReplayedDelivery' })),
});

export const listLeadDeliveries = call({
  method: 'get',
  path: '/workspaces/:workspace_id/leads/:submission_id/deliveries',
  tag,
  summary: 'List the deliveries of a lead',
  access: mayRead,
  query: strict(pageQuery),
  answer: page(deliveryPage),
});
