import type { Attempt } from '../load/order.ts';
import type { Book, Entry } from './book.ts';
import type { StoredLead } from './stored.ts';

/** The results of comparing ledger and database. Every list but `none` must be empty. */
export interface Findings {
  /** Answered with 202, but not stored. */
  readonly lost: string[];
  /** Stored more than once. */
  readonly doubled: string[];
  /** A status or body that the contract does not allow. */
  readonly foreign: string[];
  /** Stored with other bytes, or in another workspace or on another surface. */
  readonly altered: string[];
  /** One key, two different responses. */
  readonly contradicted: string[];
  /** Valid credentials and a valid body, but rejected. */
  readonly refused: string[];
  /** Stored, although it was rejected or had invalid credentials. */
  readonly intruded: string[];
  /** Stored, but never sent. */
  readonly unexplained: string[];
  /** A key that was answered before and got no response after the faults had ended. */
  readonly mute: string[];
  /** Has a key, was retried until long after the faults had ended, and never got a 202. */
  readonly unanswered: string[];
  /** Stored with a time of arrival that no attempt explains. */
  readonly misdated: string[];
}

const acceptedShape =
  /^application\/json \{"submission_id":"([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})"\}$/;
const rejectedAnswer = 'application/json {"status":"rejected"}';
const clockToleranceMs = 5_000;

/** `blindMs`: how much later than sent leads may be dated, because the service was frozen. */
export function check(book: Book, stored: readonly StoredLead[], blindMs = 0): Findings {
  const findings = noFindings();
  for (const attempt of book.attempts) judgeAnswer(attempt, findings);
  const byId = new Map(stored.map((lead) => [lead.submissionId, lead]));
  const byBody = Map.groupBy(stored, ({ bodySha256 }) => bodySha256);
  for (const entry of book.entries.values()) {
    judgeAcceptance(entry, byId, findings);
    judgeStored(entry, byBody, findings, blindMs);
  }
  for (const lead of stored) {
    if (byId.get(lead.submissionId) !== lead) findings.doubled.push(`two rows with id ${lead.submissionId}`);
  }
  const sent = new Set(book.attempts.map(({ bodySha256 }) => bodySha256));
  for (const { submissionId, bodySha256 } of stored) {
    if (!sent.has(bodySha256)) findings.unexplained.push(`${submissionId} has a body that nobody sent`);
  }
  return findings;
}

export function faultsOf(findings: object): string[] {
  return Object.entries(findings).flatMap(([kind, list]: [string, string[]]) =>
    list.length === 0 ? [] : [`${list.length} ${kind}, for example ${list.slice(0, 3).join('; ')}`],
  );
}

function judgeAnswer(attempt: Attempt, findings: Findings): void {
  const { outcome, answer, isValid, isConfirmation, status } = attempt;
  const name = `lead ${attempt.lead}${attempt.key === null ? '' : ` with key ${attempt.key}`}`;
  if (outcome === 'other') findings.foreign.push(`${name} got ${status}`);
  if (outcome === '202' && !acceptedShape.test(answer ?? '')) findings.foreign.push(`${name} got ${answer}`);
  if (outcome === '200' && answer !== rejectedAnswer) findings.foreign.push(`${name} got ${answer}`);
  if (outcome === '200' && isValid) findings.refused.push(`${name} on port ${attempt.port}`);
  if (outcome === '202' && !isValid) findings.intruded.push(`${name} got a 202 for bad credentials`);
  if (outcome === 'none' && isConfirmation) findings.mute.push(`${name}: ${attempt.fault}`);
}

/** Every 202 names a lead that is stored as it was sent; all responses to a key are the same bytes. */
function judgeAcceptance(entry: Entry, byId: Map<string, StoredLead>, findings: Findings): void {
  if (entry.accepted.size > 1)
    findings.contradicted.push(`${entry.name} got ${[...entry.accepted].join(' and ')}`);
  if (entry.isKeyed && entry.bodies.size > 0 && entry.accepted.size === 0)
    findings.unanswered.push(entry.name);
  for (const answer of entry.accepted) {
    const id = acceptedShape.exec(answer)?.[1];
    if (id === undefined) continue;
    const lead = byId.get(id);
    if (lead === undefined) findings.lost.push(`${id} of ${entry.name}`);
    else if (!isAsSent(lead, entry)) findings.altered.push(`${id} of ${entry.name}`);
  }
}

function isAsSent({ workspaceId, bodySha256, surface }: StoredLead, entry: Entry): boolean {
  return workspaceId === entry.workspaceId && entry.bodies.get(bodySha256) === surface;
}

/** At most one lead per entry, none for rejected entries, and none dated when nobody sent it. */
function judgeStored(
  entry: Entry,
  byBody: Map<string, StoredLead[]>,
  findings: Findings,
  blindMs: number,
): void {
  const leads = [...entry.bodies.keys()].flatMap((hash) => byBody.get(hash) ?? []);
  for (const extra of leads.slice(1)) findings.doubled.push(`${extra.submissionId} of ${entry.name}`);
  if (entry.rejected && leads.length > 0) findings.intruded.push(`${entry.name} was answered with 200`);
  for (const hash of entry.invalidBodies) {
    if (byBody.has(hash)) findings.intruded.push(`${entry.name} had bad credentials`);
  }
  for (const { receivedAt, submissionId } of leads) {
    const isExplained = entry.times.some(
      ({ sentAt, endedAt }) =>
        receivedAt >= sentAt - clockToleranceMs && receivedAt <= endedAt + clockToleranceMs + blindMs,
    );
    if (!isExplained) findings.misdated.push(`${submissionId} of ${entry.name}`);
  }
}

function noFindings(): Findings {
  return {
    lost: [],
    doubled: [],
    foreign: [],
    altered: [],
    contradicted: [],
    refused: [],
    intruded: [],
    unexplained: [],
    mute: [],
    unanswered: [],
    misdated: [],
  };
}
