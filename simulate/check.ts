import { checkTrips } from './cluster/check-trips.ts';
import type { LeadRow } from './database/workspace-rows.ts';
import { checkDeliveries } from './deliver/check-deliveries.ts';
import type { Finding } from './finding.ts';
import { admittedIds, idsOfReusedKeys } from './held/admitted-ids.ts';
import { checkHeld } from './held/check-held.ts';
import type { Act } from './plan.ts';
import { bodyOf, workspaceOf } from './senders/request.ts';
import { type Attempt, isRepeatable } from './senders/senders.ts';
import type { World } from './world.ts';

/** Attempts that may create at most one lead together. */
interface Entry {
  readonly name: string;
  readonly attempts: Attempt[];
}

const acceptedShape = /^\{"submission_id":"([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})"\}$/;
const rejectedBody = '{"status":"rejected"}';
/** Every instance learns of a directory change within this time while nothing fails. */
const knownMs = 2_000;
const wayMs = 5;
/** Until all packets of a request have arrived. */
const packetsMs = 100;
const troubles = new Set<Act['kind']>([
  'database',
  'node',
  'move',
  'remove',
  'disk',
  'kill',
  'kill in a step',
  'power',
  'terminate',
]);
const databaseTroubles = new Set<Act['kind']>(['database', 'node', 'remove']);

/** Compares what senders saw with what is stored, and both with what was promised. */
export function check(world: World): Finding[] {
  return [...new Check(world).findings, ...checkTrips(world), ...checkDeliveries(world), ...checkHeld(world)];
}

class Check {
  readonly findings: Finding[] = [];
  readonly #world: World;
  readonly #rowsByBody: Map<string, LeadRow[]>;
  /** One that was erased may share its id with a later use of its key. */
  readonly #rowsById: Map<string, LeadRow[]>;
  readonly #admitted: ReadonlySet<string>;
  /** Bodies that differed from the lead of their key, which an owner made leads of their own. */
  readonly #ofReusedKeys: ReadonlySet<string>;

  constructor(world: World) {
    this.#world = world;
    const rows = rowsOf(world);
    this.#rowsByBody = Map.groupBy(rows, ({ body }) => body.toString('latin1'));
    this.#rowsById = Map.groupBy(rows, ({ submissionId }) => submissionId);
    this.#admitted = admittedIds(world);
    this.#ofReusedKeys = idsOfReusedKeys(world);
    for (const trouble of world.troubles) this.#find('stuck', trouble);
    for (const attempt of world.senders.ledger) this.#judgeAnswer(attempt);
    for (const entry of entriesOf(world.senders.ledger)) this.#judgeEntry(entry);
    this.#judgeRows(rows);
    this.#judgeLimits(rows);
    this.#judgeCounts();
  }

  #find(kind: Finding['kind'], text: string): void {
    this.findings.push({ kind, text });
  }

  #judgeAnswer(attempt: Attempt): void {
    const { answer, submission, isConfirmation } = attempt;
    const name = nameOf(attempt);
    if (answer === null) {
      if (isConfirmation) this.#find('mute', `${name} got no response although nothing failed`);
      return;
    }
    const isKnown =
      answer.contentType === 'application/json' &&
      (answer.status === 202
        ? acceptedShape.test(answer.body)
        : answer.status === 200 && answer.body === rejectedBody);
    if (!isKnown) this.#find('foreign', `${name} got ${answer.status} ${answer.body}`);
    const validity = this.#validityOf(attempt);
    if (answer.status === 202 && (validity === 'bad' || submission.isStale))
      this.#find('intruded', `${name} got a 202`);
    if (answer.status !== 200 || validity !== 'good' || submission.isUnreadable) return;
    if (!this.#isLimited(attempt)) this.#find('refused', name);
  }

  /** Whether the credentials were valid when the request was sent; `unknown` while instances may not know yet. */
  #validityOf(attempt: Attempt): 'good' | 'bad' | 'unknown' {
    const validity = this.#credentialOf(attempt);
    const isInTime = attempt.submission.isStale !== true && !this.#mayBeClosed(attempt);
    return validity === 'good' && !isInTime ? 'unknown' : validity;
  }

  /** A form was turned off, and not every instance may know yet that it is active again. */
  #mayBeClosed({ submission, sentMs, isConfirmation }: Attempt): boolean {
    const closedAt = this.#world.held?.closedAt.get(submission.workspace);
    return closedAt !== undefined && sentMs + packetsMs >= closedAt && !isConfirmation;
  }

  #credentialOf({ submission, sentMs, isConfirmation }: Attempt): 'good' | 'bad' | 'unknown' {
    const { credential, workspace } = submission;
    if (credential === 'good' || credential === 'bad') return credential;
    const changedAt = this.#world.tokensChangedAt.get(workspace);
    if (changedAt === undefined || sentMs + wayMs < changedAt) return credential === 'late' ? 'good' : 'bad';
    return this.#isKnown(isConfirmation, changedAt, sentMs)
      ? credential === 'late'
        ? 'bad'
        : 'good'
      : 'unknown';
  }

  /** Every instance has had time, and a database, to learn of the change. */
  #isKnown(isConfirmation: boolean, changedMs: number, sentMs: number): boolean {
    return isConfirmation || (this.#isCalm && sentMs > changedMs + knownMs);
  }

  /** Nothing failed; only senders may have done something wrong. */
  get #isCalm(): boolean {
    return !this.#world.plan.acts.some(({ kind }) => troubles.has(kind));
  }

  /** A valid lead may be rejected only after as many as the limit allows. */
  #isLimited({ submission, endedAt }: Attempt): boolean {
    const { plan, senders } = this.#world;
    const before = senders.ledger.filter(
      (other) =>
        other.submission.workspace === submission.workspace &&
        other.submission.surface === submission.surface &&
        other.sentAt <= endedAt,
    );
    return before.length > Math.min(plan.limits.perMinuteMax, plan.limits.perDayMax);
  }

  #judgeEntry({ name, attempts }: Entry): void {
    const good = attempts.filter(
      (attempt) => !attempt.submission.isUnreadable && this.#validityOf(attempt) !== 'bad',
    );
    const accepted = new Set(attempts.flatMap((attempt) => acceptedId(attempt) ?? []));
    if (accepted.size > 1 && !this.#isUsedAnewInTrouble(attempts))
      this.#find('contradicted', `${name} got ${[...accepted].join(' and ')}`);
    const bodies = new Set(good.map(({ submission }) => bodyOf(submission).toString('latin1')));
    const rows = [...bodies]
      .flatMap((body) => this.#rowsByBody.get(body) ?? [])
      .filter(({ submissionId }) => !this.#ofReusedKeys.has(submissionId));
    if (this.#isUsedAnewInTrouble(attempts)) {
      if (accepted.size > 0 && rows.length === 0 && !this.#isAdmitted(accepted)) this.#find('lost', name);
    } else for (const id of accepted) this.#judgeAccepted(id, name, good, bodies);
    // One that was erased may be sent again, with the same id.
    const ids = new Set(rows.map(({ submissionId }) => submissionId));
    if (ids.size > 1) this.#find('doubled', `${name} is stored as ${[...ids].join(' and ')}`);
    this.#judgeSilence(name, attempts, accepted, rows);
    for (const row of rows) this.#judgeDate(row, name, good);
  }

  /**
   * Without the database, an instance does not know of uses of a key a lifetime ago: two leads may get the same id, and one
   * of them gets another when it is stored (docs/reliability.md).
   */
  #isUsedAnewInTrouble([first]: readonly Attempt[]): boolean {
    if (first === undefined || (this.#isCalm && this.#world.held === null)) return false;
    const { key, workspace } = first.submission;
    return this.#world.senders.ledger.some(
      ({ submission }) => submission.use > 0 && submission.key === key && submission.workspace === workspace,
    );
  }

  #judgeAccepted(id: string, name: string, good: readonly Attempt[], bodies: ReadonlySet<string>): void {
    const rows = this.#rowsById.get(id);
    const [first] = good;
    if (rows === undefined || first === undefined) {
      this.#find('lost', `${id} of ${name}`);
      return;
    }
    const isRight = rows.some(
      ({ body, workspaceId, surface }) =>
        bodies.has(body.toString('latin1')) &&
        workspaceId === workspaceOf(first.submission).id &&
        good.some(({ submission }) => submission.surface === surface),
    );
    if (!isRight) this.#find('altered', `${id} of ${name}`);
  }

  #judgeSilence(
    name: string,
    attempts: readonly Attempt[],
    accepted: ReadonlySet<string>,
    rows: readonly LeadRow[],
  ): void {
    const [first] = attempts;
    if (first === undefined) return;
    const isSingle = attempts.length === 1 && !isRepeatable(first.submission);
    const isUnexplained = rows.some(({ submissionId }) => !this.#isAdmitted([submissionId]));
    if (isSingle && first.answer?.status === 200 && isUnexplained)
      this.#find('intruded', `${name} was answered with 200 and is stored`);
    const confirmation = attempts.find(
      (attempt) =>
        attempt.isConfirmation && !attempt.submission.isUnreadable && this.#validityOf(attempt) === 'good',
    );
    if (confirmation !== undefined && accepted.size === 0 && !this.#isLimited(confirmation))
      this.#find('unanswered', name);
  }

  /** One of these leads was rejected first, and admitted by an owner. */
  #isAdmitted(submissionIds: Iterable<string>): boolean {
    return !this.#admitted.isDisjointFrom(new Set(submissionIds));
  }

  #judgeDate({ receivedAt, submissionId }: LeadRow, name: string, good: readonly Attempt[]): void {
    const isExplained = good.some(
      ({ sentAt, endedAt }) => receivedAt >= sentAt && receivedAt <= endedAt + wayMs,
    );
    if (!isExplained) this.#find('misdated', `${submissionId} of ${name}`);
  }

  #judgeRows(rows: readonly LeadRow[]): void {
    const attempts = this.#world.senders.ledger;
    const good = new Set(
      attempts
        .filter((attempt) => !attempt.submission.isUnreadable && this.#validityOf(attempt) !== 'bad')
        .map(({ submission }) => bodyOf(submission).toString('latin1')),
    );
    const sent = new Set(attempts.map(({ submission }) => bodyOf(submission).toString('latin1')));
    for (const { submissionId, body } of rows) {
      const text = body.toString('latin1');
      if (!sent.has(text)) this.#find('unexplained', `${submissionId} has a body that nobody sent`);
      else if (!good.has(text)) this.#find('intruded', `${submissionId} is stored with bad credentials`);
    }
  }

  /** Everything happens within a minute. While PostgreSQL is unavailable, each process counts separately. */
  #judgeLimits(rows: readonly LeadRow[]): void {
    const { plan, instances } = this.#world;
    const { killed, stopped } = instances;
    const days = plan.acts.some(({ kind }) => kind === 'a day passes') ? 2 : 1;
    const counters = this.#isCalm ? days : (1 + plan.hosts.length + killed.size + stopped.size) * days;
    const limit = Math.min(plan.limits.perMinuteMax, plan.limits.perDayMax);
    const counted = rows.filter(({ submissionId }) => !this.#isAdmitted([submissionId]));
    for (const [name, group] of Map.groupBy(counted, (row) => `${row.workspaceId} by ${row.surface}`))
      if (group.length > limit * counters)
        this.#find('over the limit', `${group.length} of ${name}, where ${limit} are allowed`);
  }

  /** The counts that owners see add up: nothing is counted twice, and only a killed process loses its last counts. */
  #judgeCounts(): void {
    const { counted, instances, server, plan } = this.#world;
    const { killed, stopped } = instances;
    const { counts, unattributed } = server.tables.diagnostics;
    const stored =
      [...counts.values()].reduce((sum, { count }) => sum + Number(count), 0) +
      [...unattributed.values()].reduce((sum, { count }) => sum + Number(count), 0);
    const shown = counted.filter(({ outcome }) => !['replayed', 'unavailable', 'fault'].includes(outcome));
    // A process that stops while PostgreSQL is unavailable cannot write its last counts.
    const isAlwaysThere = !plan.acts.some(({ kind }) => databaseTroubles.has(kind));
    const certain = shown.filter(({ life }) => !killed.has(life) && (isAlwaysThere || !stopped.has(life)));
    if (stored > shown.length)
      this.#find('miscounted', `${stored} outcomes are shown, ${shown.length} happened`);
    if (stored < certain.length)
      this.#find('miscounted', `${stored} outcomes are shown, at least ${certain.length} happened`);
  }
}

/** Everything that was stored: also what an owner erased since, unless it was sent again. */
function rowsOf({ server, delivery }: World): LeadRow[] {
  const textOf = ({ body }: LeadRow) => body.toString('latin1');
  const stored = [...server.tables.leads()];
  const bodies = new Set(stored.map(textOf));
  const erased = new Map(delivery?.owners.erased.map((row) => [textOf(row), row]));
  return [...stored, ...[...erased.values()].filter((row) => !bodies.has(textOf(row)))];
}

function entriesOf(ledger: readonly Attempt[]): Entry[] {
  const entries = new Map<string, Entry>();
  for (const [place, attempt] of ledger.entries()) {
    const { submission } = attempt;
    const name =
      submission.key !== null
        ? `key ${submission.key} of workspace ${submission.workspace}, use ${submission.use + 1}`
        : isRepeatable(submission)
          ? `signed lead ${submission.number}`
          : `lead ${submission.number}, attempt ${place}`;
    const entry = entries.get(name) ?? { name, attempts: [] };
    entries.set(name, entry);
    entry.attempts.push(attempt);
  }
  return [...entries.values()];
}

function acceptedId({ answer }: Attempt): string | null {
  return answer?.status === 202 ? (acceptedShape.exec(answer.body)?.[1] ?? null) : null;
}

function nameOf({ submission, instance }: Attempt): string {
  return `submission ${submission.number} to instance ${instance}`;
}
