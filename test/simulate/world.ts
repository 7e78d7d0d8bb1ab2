import { binaryUuid } from '../../src/db/binary.ts';
import type { OutcomeFlush } from '../../src/db/diagnostics/outcomes.ts';
import type { WantedAdmission } from '../../src/db/held/admission.ts';
import type { Admission } from '../../src/db/held/decisions/admitted-leads.ts';
import type { Discard } from '../../src/db/held/decisions/discard.ts';
import type { Missed, NewHeld, SharedRoom } from '../../src/db/held/held-database.ts';
import type { SpooledLead } from '../../src/db/ingest/ingest-drain.ts';
import { noDrifts } from '../../src/domain/alarm/drift/drift-buckets.ts';
import { noTimes } from '../../src/domain/diagnostics/handling-times.ts';
import { BodyHashes } from '../../src/domain/lead/body-hash.ts';
import { fingerprintBody, hashKey } from '../../src/domain/lead/idempotency.ts';
import type { Score } from '../../src/domain/score/score.ts';
import { shardOf } from '../../src/domain/workspace.ts';
import { duplicateNames } from '../../src/ingest/commit/duplicates/duplicate-names.ts';
import { minuteMs } from '../../src/time/clock.ts';
import type { AdmitChoice, DiscardChoice, FlushChoice, FormerLead, HoldChoice, NewLead } from './choices.ts';

type HeldItem = HoldChoice['held'][number];

interface FormerHeld {
  readonly row: NewHeld;
  readonly choice: HeldItem;
}

const root = { keyed: Buffer.alloc(32, 1), signed: Buffer.alloc(32, 2) };
export const bodyHashes = new BodyHashes(root);
export const tokenIds = [uuid('70', 0), uuid('70', 1)];
export const tokenWorkspaceId = uuid('71', 0);
const invalid = { reason: 'token_invalid' };
const startedAt = Date.UTC(2026, 10, 15, 12);

export const signedIdOf = (signature: number) => uuid('51', signature);

/** Turns choices into leads and flushes, depending on the clock and on earlier ones. */
export class World {
  now = startedAt;
  readonly #workspaces: readonly string[];
  readonly #batches: SpooledLead[][] = [];
  /** Newest first. */
  readonly #held: FormerHeld[] = [];

  /** The number makes workspaces differ from those of earlier sequences. Two of the three share a shard. */
  constructor(number: number) {
    this.#workspaces = [0x01, 0x41, 0x02].map((last) => uuid('77', number * 256 + last));
  }

  workspace(n: number): string {
    return this.#workspaces[n] as string;
  }

  batch(choices: readonly (NewLead | FormerLead)[], hasDoubles = false): SpooledLead[] {
    const leads = choices.flatMap((choice) => this.lead(choice) ?? []);
    const taken = new Set<string>();
    const batch = leads.filter((lead) => {
      const names = duplicateNames(lead);
      if (!hasDoubles && names.some((name) => taken.has(name))) return false;
      for (const name of names) taken.add(name);
      return true;
    });
    if (batch.length > 0) this.#batches.push(batch);
    return batch;
  }

  formerBatch(back: number): SpooledLead[] {
    return this.#batches.at(-1 - back) ?? [];
  }

  formerLead(back: number): SpooledLead | null {
    return this.#batches.flat().at(-1 - back) ?? null;
  }

  lead(choice: NewLead | FormerLead): SpooledLead | null {
    if ('back' in choice) return this.#formerLead(choice);
    const { key, surface, isClaimed, isSuspect, isWild } = choice;
    const body = bodyOf(choice.body);
    const isSignatureFit = isWild || (surface === 'webhook' && (key === null || isClaimed));
    const signed =
      choice.signature === null || !isSignatureFit
        ? null
        : { id: signedIdOf(choice.signature), isClaimed, isSuspect };
    const workspaceId = this.workspace(choice.workspace);
    return {
      shard: shardOf(workspaceId),
      workspaceId: binaryUuid(workspaceId),
      formId: binaryUuid(uuid('f0', choice.workspace)),
      tokenId: surface === 'server' ? binaryUuid(uuid('70', choice.workspace)) : null,
      surface,
      submissionId: isWild ? uuid('1d', choice.id) : submissionIdOf(choice, signed?.id),
      receivedAt: this.now - choice.ageMs,
      body,
      projection: body,
      score: scoreOf(choice.verdict),
      key: key === null ? null : { hash: hashKey(`key ${key}`), bodyHash: fingerprintBody(body) },
      signed,
      nextSubmissionId: key === null ? null : keyedId(key, choice.nextGeneration),
    };
  }

  flush(choice: FlushChoice): OutcomeFlush {
    const owned = (n: number) => ({ shard: shardOf(this.workspace(n)), workspaceId: this.workspace(n) });
    const at = (ms: number) => new Date(this.now + ms).toISOString();
    const counted = ({ minute, count, lastMs }: { minute: number; count: number; lastMs: number }) => ({
      minute: new Date(startedAt + minute * minuteMs).toISOString(),
      count,
      lastAt: at(lastMs),
    });
    const noted = (item: FlushChoice['notes'][number]) => ({
      ...owned(item.workspace),
      id: uuid('e0', item.id),
      at: at(item.atMs),
      surface: item.surface,
      formId: uuid('f0', item.workspace),
      tokenId: null,
      requestId: uuid('4e', item.id),
    });
    return {
      counts: choice.counts.map((item) => ({
        ...owned(item.workspace),
        ...counted(item),
        surface: item.surface,
        outcome: item.outcome,
        proven: item.outcome === 'accepted' ? 0 : item.marked,
        spam: item.outcome === 'accepted' ? item.marked : 0,
        formId: uuid('f0', 0),
        tokenId: uuid('70', 0),
      })),
      entries: choice.entries.map((item) => ({ ...noted(item), ...invalid, detail: { n: item.id } })),
      notes: choice.notes.map((item) => ({
        ...noted(item),
        ...{ kind: 'signature_repeated' as const, submissionId: uuid('1d', item.id), reuse: null },
      })),
      unattributed: choice.unattributed.map((item) => ({
        ...counted(item),
        surface: item.surface,
        reason: item.reason,
      })),
      unattributedRequests: choice.unattributedRequests.map(({ surface, atMs, requests }) => ({
        ...{ surface, reason: 'token_unknown' },
        firstAt: at(atMs),
        ...{ requestIds: requests.map((n) => uuid('4e', n)), afterMs: requests },
      })),
      tokensUsed: choice.tokens.map(({ token, atMs, addresses }) => ({
        tokenId: tokenIds[token] as string,
        lastUsedAt: at(atMs),
        addresses: addresses.map((use) => ({ address: `192.0.2.${use.address}`, lastAt: at(use.atMs) })),
      })),
      formUses: choice.formUses.map(({ workspace, slug, leadMs, verifiedMs }) => ({
        formId: uuid('f0', workspace),
        slug,
        leadAt: leadMs === null ? null : at(leadMs),
        verifiedAt: verifiedMs === null ? null : at(verifiedMs),
      })),
      formerSecretUses: choice.formerSecretUses.map((item) => ({
        ...owned(item.workspace),
        ...counted(item),
        formId: uuid('f0', 0),
        overlapEndsAt: new Date(startedAt + item.overlap).toISOString(),
      })),
      clockDrifts: choice.clockDrifts.map((item) => ({
        ...owned(item.workspace),
        formId: uuid('f0', 0),
        minute: new Date(startedAt + item.minute * minuteMs).toISOString(),
        buckets: noDrifts().map((_, bucket) => (bucket % 5 === item.bucket ? item.count : 0)),
      })),
      handlingTimes: choice.handlingTimes.map((item) => ({
        ...owned(item.workspace),
        minute: new Date(startedAt + item.minute * minuteMs).toISOString(),
        buckets: noTimes().map((_, bucket) => (bucket % 5 === item.bucket ? item.count : 0)),
      })),
    };
  }

  hold(choice: HoldChoice): [NewHeld[], Missed[], SharedRoom] {
    const owned = (n: number) => ({ shard: shardOf(this.workspace(n)), workspaceId: this.workspace(n) });
    const held = choice.held.map((item) => this.#request(item));
    const missed = choice.missed.map(({ workspace, count }) => ({
      ...owned(workspace),
      day: new Date(this.now).toISOString().slice(0, 10),
      count,
    }));
    const { bytesMax } = choice;
    const room = { provenBytes: 0, provenBytesMax: bytesMax, unprovenBytes: 0, unprovenBytesMax: bytesMax };
    return [held, missed, room];
  }

  admission(choice: AdmitChoice): [string, WantedAdmission[], Admission] | null {
    const chosen = this.#formerHeld(choice.backs);
    const [first] = chosen;
    if (first === undefined) return null;
    const wanted = chosen.map(({ row, choice: item }): WantedAdmission => {
      const body = bodyOf(item.body);
      const ready = { body, projection: body, score: scoreOf('clean') };
      const lead = item.isProven ? ready : 'not_admissible';
      return { id: row.id, submissionIds: admittedIds(item, choice.nextGeneration), lead };
    });
    if (choice.isUnknown)
      wanted.push({ id: uuid('4f', 0), submissionIds: [uuid('4f', 0)], lead: 'unreadable' });
    const { excludeTwins, deliver } = choice;
    return [first.row.workspaceId, wanted, { ...this.#decision(choice), excludeTwins, deliver }];
  }

  discard(choice: DiscardChoice): [string, string[], Discard] | null {
    const chosen = this.#formerHeld(choice.backs);
    const [first] = chosen;
    if (first === undefined) return null;
    return [first.row.workspaceId, chosen.map(({ row }) => row.id), this.#decision(choice)];
  }

  /** The same request whenever its id comes again. */
  #request(item: HeldItem): NewHeld {
    const workspaceId = this.workspace(item.workspace);
    const id = uuid('4e', item.id);
    const former = this.#held.find(({ row }) => row.workspaceId === workspaceId && row.id === id);
    if (former !== undefined) return former.row;
    const row: NewHeld = {
      shard: shardOf(workspaceId),
      workspaceId,
      id,
      formId: uuid('f0', item.workspace * 2 + (item.id % 2)),
      tokenId: null,
      slug: 'contact',
      surface: 'webhook',
      reason: item.isProven ? 'form_inactive' : 'signature_mismatch',
      class: item.isProven ? 'A' : 'D',
      receivedAt: new Date(this.now + item.atMs),
      requestId: id,
      sentAt: null,
      bodyBytes: 1,
      bodyHash: bodyHashes.of(workspaceId, bodyOf(item.body)),
      sender: null,
      signatureHash: item.signature === null ? null : Buffer.alloc(32, item.signature),
      keyHash: item.key === null ? null : hashKey(`key ${item.key}`),
      personHashes: [],
      sealed: Buffer.alloc(item.bytes),
      expiresAt: new Date(this.now + item.keptMs),
    };
    this.#held.unshift({ row, choice: item });
    return row;
  }

  #decision({ selection }: DiscardChoice | AdmitChoice): Discard {
    const decisionId = selection === null ? null : uuid('de', selection);
    return { at: new Date(this.now), by: 'Ada', decisionId };
  }

  #formerHeld(backs: readonly number[]): FormerHeld[] {
    const chosen = backs.flatMap((back) => this.#held[back] ?? []);
    const sameWorkspace = chosen.filter(({ row }) => row.workspaceId === chosen[0]?.row.workspaceId);
    return [...new Map(sameWorkspace.map((one) => [one.row.id, one])).values()];
  }

  #formerLead({ back, body, isReceivedNow }: FormerLead): SpooledLead | null {
    const former = this.formerLead(back);
    if (former === null) return null;
    const copy = isReceivedNow ? { ...former, receivedAt: this.now } : former;
    if (body === null) return copy;
    const other = bodyOf(body);
    const key = former.key && { hash: former.key.hash, bodyHash: fingerprintBody(other) };
    return { ...copy, body: other, projection: other, key };
  }
}

export function uuid(kind: string, n: number): string {
  return `00000000-0000-8000-80${kind}-${n.toString(16).padStart(12, '0')}`;
}

function keyedId(key: number, generation: number): string {
  return uuid('5e', key * 16 + generation);
}

/** As leadIds of src/manage/held has them. */
function admittedIds({ isProven, key, signature, id }: HeldItem, nextGeneration: number): string[] {
  if (isProven && key !== null) return [keyedId(key, 0), keyedId(key, nextGeneration)];
  return [signature === null ? uuid('1d', id) : uuid('51', signature)];
}

function submissionIdOf({ key, generation, id }: NewLead, signatureId: string | undefined): string {
  return key === null ? (signatureId ?? uuid('1d', id)) : keyedId(key, generation);
}

function bodyOf(n: number): Buffer {
  return Buffer.from(JSON.stringify({ email: 'ada@example.com', n }));
}

function scoreOf(verdict: Score['verdict']): Score {
  const reason = { code: 'test', points: 7, text: 'a test', evidence: verdict };
  return {
    score: 71,
    risk: 3,
    grade: 'B',
    verdict,
    fit: 1,
    intent: 2,
    reasons: [reason],
    merits: [],
    ruleset: 'test',
  };
}
