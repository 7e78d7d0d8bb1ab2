import type { Tables } from '../../simulate/database/tables.ts';
import { uuidText } from '../../simulate/database/workspace-rows.ts';
import type { SpooledLead } from '../../src/db/ingest/ingest-drain.ts';
import { packReasons } from '../../src/domain/score/stored-reasons.ts';
import { shardOf } from '../../src/domain/workspace.ts';

type Row = readonly unknown[];

export interface TableRows {
  readonly leads: Row[];
  readonly keys: Row[];
  readonly windows: Row[];
  readonly outbox: Row[];
  readonly quarantine: Row[];
  readonly erasures: Row[];
  readonly flushes: Row[];
  readonly counts: Row[];
  readonly entries: Row[];
  readonly notes: Row[];
  readonly unattributed: Row[];
  readonly unattributedRequests: Row[];
  readonly formerSecretUses: Row[];
  readonly clockDrifts: Row[];
  readonly handlingTimes: Row[];
  readonly held: Row[];
  readonly recoveries: Row[];
  readonly heldUsage: Row[];
  readonly heldMissed: Row[];
  readonly tokenUses: Row[];
  readonly formUses: Row[];
  readonly tokenAddresses: Row[];
}

/** The rows of the model, with columns in the order in which RealDatabase reads them. */
export function rowsOf(tables: Tables): TableRows {
  const { diagnostics: d } = tables;
  return {
    leads: [...tables.leads()].map(({ score, ...l }) => [
      ...[l.workspaceId, l.submissionId, l.shard, uuidText(l.formId), l.tokenId && uuidText(l.tokenId)],
      ...[l.surface, l.receivedAt, l.body, parsed(l.projection), score.score, score.risk, score.grade],
      ...[score.verdict, JSON.parse(JSON.stringify(packReasons(score))), score.ruleset],
    ]),
    keys: [...tables.workspaces()].flatMap(({ id, shard, keys }) =>
      [...keys].map(([name, k]) => [
        id,
        Buffer.from(name, 'latin1'),
        shard,
        k.submissionId,
        k.bodyHash,
        k.expiresAt,
      ]),
    ),
    windows: [...tables.windows.values()].map((w) => [
      ...[w.workspaceId, w.surface, w.shard, w.minuteStartedAt, w.minuteCount, w.dayStartedAt, w.dayCount],
      ...[w.wanted, w.granted],
    ]),
    outbox: tables.outbox
      .filter(({ type }) => type === 'lead.accepted' || type === 'lead.released')
      .map((o) => [o.shards[0], o.shards, o.workspaceIds, o.submissionIds, o.type, o.at]),
    quarantine: [...tables.quarantine.values()].map((q) => [
      ...[q.workspaceId, q.submissionId, q.reason, q.body, q.at, q.refusal, uuidText(q.formId), q.surface],
      ...[q.receivedAt, headOf(q.spooled)],
    ]),
    erasures: [...tables.workspaces()].flatMap(({ id, shard, erasures }) =>
      [...erasures].flatMap(([submissionId, rows]) =>
        rows.map((e) => [id, submissionId, e.receivedAt, shard, e.erasedAt, e.bodyHash]),
      ),
    ),
    flushes: [...d.flushes].map(([instance, f]) => [instance, f.sequence, f.flushedAt]),
    counts: [...d.counts.values()].map((c) => [
      ...[
        c.workspaceId,
        Date.parse(c.minute),
        c.surface,
        c.outcome,
        c.formId,
        c.tokenId,
        c.shard,
        c.count,
        c.proven,
        c.spam,
        c.lastAt,
      ],
    ]),
    entries: [...d.entries.values()].map((e) => [
      ...[e.workspaceId, e.id, e.shard, Date.parse(e.at), e.surface, e.reason, e.formId, e.tokenId],
      ...[e.requestId, e.detail],
    ]),
    notes: [...d.notes.values()].map((n) => [
      ...[n.workspaceId, n.id, n.shard, Date.parse(n.at), n.surface, n.kind, n.formId, n.tokenId],
      ...[n.requestId, n.submissionId],
    ]),
    unattributed: [...d.unattributed.values()].map((c) => [
      ...[Date.parse(c.minute), c.surface, c.reason, c.count, c.lastAt],
    ]),
    unattributedRequests: [...d.unattributedRequests.values()].map((r) => [
      ...[
        r.surface,
        r.reason,
        r.requestIds.length,
        Date.parse(r.firstAt),
        r.requestIds.join(),
        r.afterMs.join(),
      ],
    ]),
    formerSecretUses: [...d.formerSecretUses.values()].map((u) => [
      ...[
        u.workspaceId,
        u.formId,
        Date.parse(u.overlapEndsAt),
        Date.parse(u.minute),
        u.shard,
        u.count,
        u.lastAt,
      ],
    ]),
    clockDrifts: [...d.clockDrifts.values()].map((c) => [
      ...[c.workspaceId, c.formId, Date.parse(c.minute), c.shard, c.buckets.join()],
    ]),
    handlingTimes: [...d.handlingTimes.values()].map((t) => [
      ...[t.workspaceId, Date.parse(t.minute), t.shard, t.buckets.join()],
    ]),
    held: [...tables.held.requests.values()].map((h) => [
      ...[h.workspaceId, h.id, h.shard, h.formId, h.reason, h.class, h.receivedAt, h.sealed?.length ?? null],
      ...[h.bodyHash, h.signatureHash, h.keyHash, h.state, h.submissionId, h.decisionId, h.expiresAt],
    ]),
    recoveries: [...tables.held.recoveries.values()].map((r) => [
      ...[r.workspaceId, r.submissionId, shardOf(r.workspaceId), r.heldId, r.admittedAt, r.isDelivered],
    ]),
    heldUsage: [...tables.held.usage.values()].map((u) => [
      ...[u.workspaceId, u.formId, u.isProven, u.shard, u.rows, u.bytes],
    ]),
    heldMissed: [...tables.held.missed.values()].map((m) => [m.workspaceId, m.day, m.shard, m.count]),
    tokenUses: [...d.tokenUses],
    formUses: [...d.formUses.values()].map((u) => [u.formId, u.slug, u.leadAt, u.verifiedAt]),
    tokenAddresses: [...d.tokenAddresses].map(([name, at]) => [...name.split(' '), at]),
  };
}

/** Makes both sides comparable: times as numbers, bytes in hex, sorted by key. */
export function comparable(rows: object): Record<string, readonly unknown[]> {
  const tables = Object.entries(rows).map(([table, list]: [string, Row[]]) => {
    const plain = list.map((row) => row.map(plainValue));
    const named = plain.map((row) => ({ row, name: JSON.stringify(row) }));
    return [table, named.toSorted((a, b) => (a.name < b.name ? -1 : 1)).map(({ row }) => row)];
  });
  return Object.fromEntries(tables);
}

function plainValue(value: unknown): unknown {
  if (value instanceof Date) return value.getTime();
  return Buffer.isBuffer(value) ? value.toString('hex') : value;
}

function parsed(json: Buffer): unknown {
  return JSON.parse(json.toString());
}

function headOf({ tokenId, score, key, signed, nextSubmissionId }: SpooledLead): object {
  return {
    token: tokenId?.toString('hex') ?? null,
    score,
    key: key && { hash: key.hash.toString('hex'), bodyHash: key.bodyHash.toString('hex') },
    signed: signed && { id: signed.id, isClaimed: signed.isClaimed },
    next: nextSubmissionId,
  };
}
