import { type FeedEvent, readingErrors } from '../../bench/delivery/feed-reader.ts';
import type { Destination, LeadFacts } from './destinations.ts';
import type { Erased } from './eraser.ts';
import type { Received } from './receivers.ts';

/** Everything that is compared. */
export interface Evidence {
  readonly destinations: readonly Destination[];
  readonly received: readonly Received[];
  /** Of each workspace, when nothing happens any more. */
  readonly feeds: ReadonlyMap<string, readonly FeedEvent[]>;
  /** What someone read who always read on from where they were. */
  readonly readings: ReadonlyMap<string, readonly FeedEvent[]>;
  /** The leads in PostgreSQL by their ID. */
  readonly leads: ReadonlyMap<string, LeadFacts>;
  readonly erased: readonly Erased[];
  readonly unsigned: readonly string[];
  readonly trapped: readonly string[];
}

/** Every list must be empty. */
export interface DeliveryFindings {
  /** An event that a destination should have got, and did not. */
  readonly undelivered: string[];
  /** More deliveries than tolerated were sent again although they had been accepted. */
  readonly repeated: string[];
  /** The same event under another `webhook-id`, so that the receiver cannot know it. */
  readonly renamed: string[];
  readonly unsigned: string[];
  /** Sent to a destination that should not have got it. */
  readonly misdelivered: string[];
  /** A lead that is not in the feed exactly once. */
  readonly unlisted: string[];
  /** An event that someone who reads the feed on and on does not get exactly once. */
  readonly gaps: string[];
  readonly disordered: string[];
}

export interface DeliveryFigures {
  readonly events: number;
  /** Pairs of an event and a destination that wants it. */
  readonly wanted: number;
  readonly doubles: number;
  /** Requests that a receiver refused or did not respond to as it should. */
  readonly failures: number;
}

export const doublesShareMax = 0.01;
/** In a short run, one kill makes more than this share. */
const doublesMin = 50;
/** What is sent was read up to a second ago, by an instance that may have to wait for a processor. */
const erasureMsMax = 5_000;

export function checkDeliveries(evidence: Evidence): {
  readonly findings: DeliveryFindings;
  readonly figures: DeliveryFigures;
} {
  const { received, feeds } = evidence;
  const { wanted, undelivered } = judgeWanted(evidence);
  const doubles = received.reduce((sum, { answers }) => sum + Math.max(0, answers.accepted - 1), 0);
  const failures = received.reduce((sum, { answers }) => sum + answers.refused + answers.unclear, 0);
  const events = [...feeds.values()].reduce((sum, feed) => sum + feed.length, 0);
  const isOften = doubles > Math.max(doublesMin, wanted * doublesShareMax);
  const findings = {
    undelivered,
    repeated: isOften ? [`${doubles} of ${wanted} were sent again after a 2xx`] : [],
    renamed: renamedIn(received),
    unsigned: [...evidence.unsigned],
    misdelivered: [...evidence.trapped, ...judgeReceived(evidence)],
    unlisted: judgeFeeds(evidence),
    ...judgeReadings(evidence),
  };
  return { findings, figures: { events, wanted, doubles, failures } };
}

/** Every event in the feed has reached every destination that wants it. */
function judgeWanted({ destinations, received, feeds, leads, erased }: Evidence) {
  const arrived = new Set(
    received
      .filter(({ answers }) => answers.accepted + answers.unclear > 0)
      .map(({ receiver, webhookId }) => `${receiver} ${webhookId}`),
  );
  const gone = new Set(erased.map(({ submissionId }) => submissionId));
  const undelivered: string[] = [];
  let wanted = 0;
  for (const { workspaceId, receiver, wants } of destinations)
    for (const { id, type, submission_id } of feeds.get(workspaceId) ?? []) {
      const isGone = gone.has(submission_id ?? '') && type !== 'lead.erased';
      if (isGone || !wants(type, leads.get(submission_id ?? '') ?? null)) continue;
      wanted++;
      if (!arrived.has(`${receiver} msg_${id}`))
        undelivered.push(`${type} of ${submission_id} to ${receiver}`);
    }
  return { wanted, undelivered };
}

/** Nothing has arrived that is not in the feed of the workspace, is not wanted, or was erased long before. */
function judgeReceived({ destinations, received, feeds, leads, erased }: Evidence): string[] {
  const byReceiver = new Map(destinations.map((destination) => [destination.receiver, destination]));
  const eventsOf = new Map(
    [...feeds].map(([workspaceId, feed]) => [
      workspaceId,
      new Map(feed.map((event) => [`msg_${event.id}`, event])),
    ]),
  );
  const erasedAt = new Map(erased.map(({ submissionId, at }) => [submissionId, at]));
  return received.flatMap(({ receiver, webhookId, type, submissionId, lastAt }) => {
    const name = `${type} of ${submissionId} to ${receiver}`;
    const { workspaceId, wants } = byReceiver.get(receiver) as Destination;
    const event = eventsOf.get(workspaceId)?.get(webhookId);
    if (event === undefined) return [`${name} is not in the feed`];
    if (event.type !== type || event.submission_id !== submissionId)
      return [`${name} is another event in the feed`];
    const isErased = erasedAt.has(submissionId ?? '');
    const at = erasedAt.get(submissionId ?? '') ?? null;
    if (type !== 'lead.erased' && at !== null && lastAt > at + erasureMsMax)
      return [`${name}, ${lastAt - at} ms after it was erased`];
    // What an erased lead was is not known any more.
    const isKnown = !isErased || type === 'lead.erased';
    return isKnown && !wants(event.type, leads.get(submissionId ?? '') ?? null)
      ? [`${name} was not wanted`]
      : [];
  });
}

function renamedIn(received: readonly Received[]): string[] {
  const nameOf = ({ receiver, type, submissionId }: Received) => `${type} of ${submissionId} to ${receiver}`;
  return [...Map.groupBy(received, nameOf)].flatMap(([name, list]) =>
    list.length > 1 ? [`${name} as ${list.map(({ webhookId }) => webhookId).join(' and ')}`] : [],
  );
}

/** Each lead was accepted exactly once, in its own workspace. */
function judgeFeeds({ feeds, leads, erased }: Evidence): string[] {
  const gone = new Set(erased.map(({ submissionId }) => submissionId));
  const unlisted: string[] = [];
  const listed = new Set<string>();
  for (const [workspaceId, feed] of feeds)
    for (const { type, submission_id } of feed) {
      const key = `${type} ${submission_id}`;
      if (type !== 'lead.accepted' && type !== 'lead.erased') continue;
      if (listed.has(key)) unlisted.push(`${key} is in the feed twice`);
      listed.add(key);
      const isOwn =
        gone.has(submission_id ?? '') || leads.get(submission_id ?? '')?.workspaceId === workspaceId;
      if (!isOwn) unlisted.push(`${key} is in the feed of ${workspaceId}`);
    }
  for (const id of leads.keys())
    if (!listed.has(`lead.accepted ${id}`)) unlisted.push(`${id} is not in the feed`);
  for (const id of gone)
    if (!listed.has(`lead.erased ${id}`)) unlisted.push(`the erasure of ${id} is not in the feed`);
  return unlisted;
}

function judgeReadings({ feeds, readings }: Evidence): Pick<DeliveryFindings, 'gaps' | 'disordered'> {
  const gaps: string[] = [];
  const disordered: string[] = [];
  for (const [workspaceId, reading] of readings) {
    const feed = feeds.get(workspaceId) ?? [];
    const errors = readingErrors(feed, reading);
    gaps.push(...errors.gaps.map((gap) => `${gap} in ${workspaceId}`));
    if (!errors.isOrdered) disordered.push(`the events of ${workspaceId}`);
    const gone = new Set<string | null>();
    for (const { type, submission_id } of feed) {
      if (type === 'lead.erased') gone.add(submission_id);
      else if (gone.has(submission_id)) disordered.push(`${type} of ${submission_id} after it was erased`);
    }
  }
  return { gaps, disordered };
}
