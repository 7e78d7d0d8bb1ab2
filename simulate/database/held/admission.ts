import { binaryUuid } from '../../../src/db/binary.ts';
import type { AdmissionOutcome, WantedAdmission } from '../../../src/db/held/admission.ts';
import { type Admission, keyOf, type ReadyLead } from '../../../src/db/held/decisions/admitted-leads.ts';
import type { Discard } from '../../../src/db/held/decisions/discard.ts';
import { isTwinTime } from '../../../src/db/held/twins.ts';
import { fingerprintBody, keyLifetimeMs } from '../../../src/domain/lead/idempotency.ts';
import { leadName } from '../deliver/deliver-rows.ts';
import { findOriginals } from '../keys.ts';
import type { Tables } from '../tables.ts';
import type { Transaction } from '../transaction.ts';
import { bytesName, uuidText, type WorkspaceRows } from '../workspace-rows.ts';
import type { HeldRequest, HeldRows } from './held-rows.ts';

interface Open {
  readonly request: HeldRequest;
  readonly lead: ReadyLead;
  readonly submissionId: string;
}

/** Of src/db/held/admission.ts, for one call after another, in workspaces that are active. */
export function admitRows(
  tables: Tables,
  transaction: Transaction,
  rows: WorkspaceRows,
  wanted: readonly WantedAdmission[],
  admission: Admission,
): Map<string, AdmissionOutcome> {
  const outcomes = new Map<string, AdmissionOutcome>();
  const open: Open[] = [];
  for (const { id, submissionIds, lead } of wanted) {
    const request = present(tables.held, rows.id, id, admission.at);
    const settled =
      request === undefined ? missingOutcome(rows, submissionIds) : settledOutcome(rows, request);
    if (request === undefined || settled !== null) outcomes.set(id, settled as AdmissionOutcome);
    else if (typeof lead === 'string') outcomes.set(id, { kind: lead });
    else {
      const free = freeId(rows, request, submissionIds);
      if (typeof free === 'string') open.push({ request, lead, submissionId: free });
      else outcomes.set(id, free);
    }
  }
  for (const [id, of] of twinsAmong(rows, open, admission)) outcomes.set(id, { kind: 'twin', of });
  const admitted = open.filter(({ request }) => !outcomes.has(request.id));
  for (const one of admitted) claimKey(transaction, rows, one, admission.at.getTime());
  store(tables, transaction, rows, admitted, admission);
  for (const { request, submissionId } of admitted)
    outcomes.set(request.id, { kind: 'admitted', submissionId });
  return outcomes;
}

/** Of src/db/held/decisions/discard.ts. */
export function discardRows(
  held: HeldRows,
  transaction: Transaction,
  workspaceId: string,
  ids: readonly string[],
  { at, decisionId }: Discard,
): Map<string, 'discarded' | 'decided'> {
  const requests = new Set(ids.flatMap((id) => present(held, workspaceId, id, at) ?? []));
  return new Map(
    [...requests].map((request) => {
      const isHeld = request.state === 'held';
      if (isHeld) held.decide(transaction, request, { state: 'discarded', submissionId: null, decisionId });
      const isOwn = isHeld || (decisionId !== null && request.decisionId === decisionId);
      return [request.id, isOwn ? 'discarded' : 'decided'];
    }),
  );
}

function present(held: HeldRows, workspaceId: string, id: string, now: Date): HeldRequest | undefined {
  const request = held.find(workspaceId, id);
  return request !== undefined && request.expiresAt > now ? request : undefined;
}

function missingOutcome(
  { leads, erasures }: WorkspaceRows,
  submissionIds: readonly string[],
): AdmissionOutcome {
  return { kind: submissionIds.some((id) => leads.has(id) || erasures.has(id)) ? 'decided' : 'missing' };
}

function settledOutcome(
  { leads }: WorkspaceRows,
  { state, submissionId }: HeldRequest,
): AdmissionOutcome | null {
  if (state === 'held') return null;
  return submissionId !== null && leads.has(submissionId)
    ? { kind: 'admitted', submissionId }
    : { kind: 'decided' };
}

function freeId(
  { leads, erasures }: WorkspaceRows,
  { receivedAt }: HeldRequest,
  submissionIds: readonly string[],
): string | AdmissionOutcome {
  let outcome: AdmissionOutcome = { kind: 'decided' };
  for (const id of submissionIds) {
    const lead = leads.get(id);
    const known = [...(lead === undefined ? [] : [lead]), ...(erasures.get(id) ?? [])];
    if (known.length === 0) return id;
    outcome = lead === undefined ? { kind: 'decided' } : { kind: 'twin', of: id };
    if (known.some((one) => Math.abs(one.receivedAt - receivedAt.getTime()) < keyLifetimeMs)) break;
  }
  return outcome;
}

/** What each is a twin of. Of equal requests, the first becomes the lead. */
function twinsAmong(
  rows: WorkspaceRows,
  open: readonly Open[],
  { at, excludeTwins }: Admission,
): Map<string, string> {
  const twins = new Map<string, string>();
  const unique: Open[] = [];
  for (const one of open.toSorted(
    (a, b) => a.request.receivedAt.getTime() - b.request.receivedAt.getTime(),
  )) {
    const { request, lead } = one;
    const key = keyOf(request);
    const [owner] = key === null ? [] : findOriginals(rows, { keyHash: key, signedId: null }, at.getTime());
    const isEqual = (other: Open) =>
      other.request.formId === request.formId &&
      other.lead.body.equals(lead.body) &&
      isTwinTime(other.request.receivedAt, request.receivedAt);
    const before =
      unique.find((other) => key !== null && keyOf(other.request)?.equals(key)) ??
      (excludeTwins ? unique.find(isEqual) : undefined);
    const of =
      owner?.submissionId ?? (excludeTwins ? equalLead(rows, one) : undefined) ?? before?.submissionId;
    if (of === undefined) unique.push(one);
    else twins.set(request.id, of);
  }
  return twins;
}

function equalLead({ leads }: WorkspaceRows, { request, lead }: Open): string | undefined {
  return leads
    .values()
    .find(
      ({ formId, body, receivedAt }) =>
        uuidText(formId) === request.formId &&
        body.equals(lead.body) &&
        isTwinTime(new Date(receivedAt), request.receivedAt),
    )?.submissionId;
}

/** None of the keys has an owner: those that have are twins. */
function claimKey(
  transaction: Transaction,
  { keys }: WorkspaceRows,
  { request, lead, submissionId }: Open,
  now: number,
): void {
  const key = keyOf(request);
  if (key === null) return;
  transaction.set(keys, bytesName(key), {
    submissionId,
    bodyHash: fingerprintBody(lead.body),
    expiresAt: now + keyLifetimeMs,
    writer: transaction.number,
  });
}

function store(
  tables: Tables,
  transaction: Transaction,
  rows: WorkspaceRows,
  admitted: readonly Open[],
  { at, deliver, decisionId }: Admission,
): void {
  if (admitted.length === 0) return;
  const { held } = tables;
  for (const { request, lead, submissionId } of admitted) {
    const { id, formId, tokenId, surface, receivedAt } = request;
    rows.insertLead(transaction, submissionId, {
      ...{ shard: rows.shard, workspaceId: binaryUuid(rows.id), submissionId, key: null, signed: null },
      ...{ formId: binaryUuid(formId), tokenId: tokenId === null ? null : binaryUuid(tokenId), surface },
      ...{
        receivedAt: receivedAt.getTime(),
        body: lead.body,
        projection: lead.projection,
        score: lead.score,
      },
    });
    const admittedAt = at.getTime();
    const recovery = { workspaceId: rows.id, submissionId, heldId: id, admittedAt, isDelivered: deliver };
    transaction.set(held.recoveries, leadName(rows.id, submissionId), recovery);
    held.decide(transaction, request, { state: 'admitted', submissionId, decisionId });
  }
  const noted = admitted.map(({ submissionId }) => ({ rows, submissionId }));
  tables.noteLeads(transaction, noted);
  tables.noteLeads(transaction, noted, 'lead.released', at.getTime());
}
