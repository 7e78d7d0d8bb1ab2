import { hashKey } from '../../src/domain/lead/idempotency.ts';
import type { HeldRequest } from '../database/held/held-rows.ts';
import type { LeadRow } from '../database/workspace-rows.ts';
import type { Finding } from '../finding.ts';
import { bodyHashes } from '../instance/instance.ts';
import { bodyOf, keyText, workspaceOf } from '../senders/request.ts';
import type { World } from '../world.ts';

/** Compares what became of rejected requests with the leads, and with what their owners wanted. */
export function checkHeld(world: World): Finding[] {
  return new HeldCheck(world).findings;
}

class HeldCheck {
  readonly findings: Finding[] = [];
  readonly #world: World;
  readonly #leads: ReadonlyMap<string, LeadRow>;
  readonly #erased: ReadonlyMap<string, LeadRow>;
  readonly #requests: readonly HeldRequest[];

  constructor(world: World) {
    this.#world = world;
    const { tables } = world.server;
    const byId = (rows: Iterable<LeadRow>) => new Map([...rows].map((row) => [row.submissionId, row]));
    this.#leads = byId(tables.leads());
    this.#erased = byId(world.delivery?.owners.erased ?? []);
    this.#requests = [...tables.held.requests.values()];
    for (const request of this.#requests) this.#judgeRequest(request);
    for (const [id, chosen] of world.held?.chosen ?? []) this.#judgeDecision(id, new Set(chosen));
    this.#judgeUsage();
  }

  #find(kind: Finding['kind'], text: string): void {
    this.findings.push({ kind, text });
  }

  /** One that was admitted is exactly one lead, with its body; others are none. */
  #judgeRequest({ id, workspaceId, state, submissionId, bodyHash }: HeldRequest): void {
    const { recoveries } = this.#world.server.tables.held;
    const became = [...recoveries.values()].filter(({ heldId }) => heldId === id);
    const name = `held submission ${id}`;
    if (became.length > 1) this.#find('doubled', `${name} became ${became.length} leads`);
    if (state !== 'admitted') {
      if (became.length > 0) this.#find('intruded', `${name} is ${state}, but became a lead`);
      return;
    }
    if (this.#erased.has(submissionId ?? '')) return;
    const lead = this.#leads.get(submissionId ?? '');
    if (lead === undefined || became[0]?.submissionId !== submissionId)
      this.#find('lost', `${name} is admitted as ${submissionId}, which does not exist`);
    else if (!bodyHashes.of(workspaceId, lead.body).equals(bodyHash))
      this.#find('altered', `${name} is admitted as ${submissionId}`);
  }

  /** A selection ends, and then each of the chosen is decided, unless its sender got it accepted meanwhile. */
  #judgeDecision(id: string, chosen: ReadonlySet<string>): void {
    const decision = this.#world.server.tables.held.decisions.rows.get(id);
    if (decision === undefined) return;
    const { kind, done, total, decided, finishedAt } = decision;
    const name = `${kind} ${id}`;
    if (finishedAt === null) this.#find('stuck', `${name} is not finished`);
    else if (done !== total) this.#find('undecided', `${name} shows ${done} of ${total}`);
    const own = this.#requests.filter(({ decisionId }) => decisionId === id);
    if (own.length > decided) this.#find('miscounted', `${name} shows ${decided} of ${own.length}`);
    for (const request of this.#requests)
      if (
        chosen.has(request.id) &&
        request.state === 'held' &&
        !(kind === 'admission' && this.#hasTwin(request))
      )
        this.#find('undecided', `${name} passed over held submission ${request.id}`);
  }

  /** There is or was a lead with its body, or with another one that was sent with its key. */
  #hasTwin({ workspaceId, bodyHash, keyHash }: HeldRequest): boolean {
    const { ledger } = this.#world.senders;
    const sameKey = ledger.flatMap(({ submission }) => {
      const isSame =
        submission.key !== null &&
        workspaceOf(submission).id === workspaceId &&
        keyHash?.equals(hashKey(keyText(submission.key)));
      return isSame ? bodyOf(submission) : [];
    });
    return [...this.#leads.values(), ...this.#erased.values()].some(
      (lead) =>
        lead.workspaceId === workspaceId &&
        (sameKey.some((body) => body.equals(lead.body)) ||
          bodyHashes.of(workspaceId, lead.body).equals(bodyHash)),
    );
  }

  #judgeUsage(): void {
    for (const {
      workspaceId,
      formId,
      isProven,
      rows,
      bytes,
    } of this.#world.server.tables.held.usage.values()) {
      const kept = this.#requests.flatMap((request) => {
        const isOf = request.workspaceId === workspaceId && request.formId === formId;
        return isOf && (request.class !== 'D') === isProven ? (request.sealed ?? []) : [];
      });
      const keptBytes = kept.reduce((sum, sealed) => sum + sealed.length, 0);
      if (kept.length !== rows || keptBytes !== bytes)
        this.#find(
          'miscounted',
          `${rows} held submissions with ${bytes} bytes count, but there are ${kept.length} with ${keptBytes}`,
        );
    }
  }
}
