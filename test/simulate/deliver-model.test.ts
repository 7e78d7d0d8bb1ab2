import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DatabaseModel } from '../../simulate/database/database-model.ts';
import {
  claimDestinations,
  countDelivered,
  disableDestination,
  findSendingDestination,
  listWaiting,
  readDueDeliveries,
  releaseLeases,
  renewLeases,
  saveHealth,
  wakeForgotten,
  writeOutcomes,
} from '../../simulate/database/deliver/deliver-model.ts';
import type { DestinationRow } from '../../simulate/database/deliver/deliver-rows.ts';
import { RelayTurn } from '../../simulate/database/deliver/relay-turn.ts';
import { replaySome } from '../../simulate/database/deliver/replays.ts';
import type { DeliveryOutcome, DueDeliveries } from '../../src/db/deliver/deliver-database.ts';
import { firstDeliveryId } from '../../src/domain/destination/delivery-id.ts';
import { Random } from '../../src/time/random.ts';
import { seededRandomness } from '../../src/time/randomness.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';
import type { NewLead } from './choices.ts';
import { type DeliverOperation, deliverSteps } from './deliver-choices.ts';
import { deliverRowsOf, namedDeliveries } from './deliver-table-rows.ts';
import { RealDeliver } from './real-deliver.ts';
import { comparable } from './table-rows.ts';
import { bodyHashes, uuid, World } from './world.ts';

let database: TestDatabase;
let real: RealDeliver;

beforeAll(async () => {
  database = await createTestDatabase();
  real = new RealDeliver(database.url);
});
afterAll(async () => {
  await real.close();
  await database.drop();
});

let worlds = 0;
const seen = new Set<string>();
const counts = new Set<number>();

test('the model of deliveries returns the same results as PostgreSQL, and has the same rows afterwards', async () => {
  await fc.assert(
    fc.asyncProperty(deliverSteps, async (list) => {
      const both = new Both();
      await real.empty(both.destinations, both.world.now);
      for (const { moveMs, operation } of list) {
        both.world.now += moveMs;
        await both.perform(operation);
      }
      expect(comparable(deliverRowsOf(both.model))).toEqual(comparable(await real.rows()));
      for (const { state } of both.model.deliver.deliveries.values()) seen.add(state);
    }),
    { numRuns: 60 },
  );
  expect(counts.size).toBeGreaterThan(1);
  expect(seen).toEqual(new Set(['pending', 'delivered', 'dead', 'skipped', 'cancelled']));
});

/** The same operation on the model and on PostgreSQL. */
class Both {
  readonly world = new World(++worlds);
  readonly model = new DatabaseModel();
  readonly destinations: readonly DestinationRow[] = [0, 1, 2].map((number) => ({
    id: uuid('de', number),
    workspaceId: this.world.workspace(number === 2 ? 1 : 0),
    name: 'CRM',
    status: 'active',
    disabledReason: null,
    kind: 'webhook' as const,
    config: { url: 'https://receiver.example/', format: 'standard' as const, headers: [] },
    formIds: number === 0 ? null : [uuid('f0', 0), uuid('f0', 1)],
    filter: { all: number === 0 ? [] : [{ field: 'verdict', op: 'eq', value: 'clean' }] },
    mapping: [],
    headersCiphertext: null,
    secretCiphertext: Buffer.alloc(1),
    previousSecretCiphertext: null,
    previousValidUntil: null,
    version: 1,
    events: ['lead.accepted', 'lead.erased', 'destination.disabled', 'alarm.opened', 'alarm.digest'],
    sendWhen: number === 1 ? 'enriched' : 'accepted',
    waitMaxSeconds: 30,
    perSecond: 50,
  }));
  readonly #newId: () => string;
  #leads = 0;

  constructor() {
    for (const row of this.destinations) this.model.deliver.insertDestination(row);
    const randomness = seededRandomness(new Random(worlds), { now: () => this.world.now });
    this.#newId = () => randomness.uuid();
  }

  async perform(operation: DeliverOperation): Promise<void> {
    const { model, world } = this;
    const { now } = world;
    const at = (laterMs: number) => new Date(now + laterMs);
    const { engine } = real;
    switch (operation.kind) {
      case 'commit': {
        const leads = world.batch(
          Array.from({ length: operation.leads }, () => this.#lead(operation.verdict)),
        );
        model.ingestCommit(leads, { now, isRetry: false });
        return real.commit(leads, now);
      }
      case 'relay': {
        const turn = new RelayTurn(model, () => true);
        const isAny = turn.take() > 0;
        for (const [id, wake] of isAny ? turn.commit({ now, newId: this.#newId }) : [])
          model.deliver.wakeFor(id, wake);
        return expect(isAny).toEqual(await real.relay(now));
      }
      case 'alarm': {
        const alarms = operation.forms.map((form) => ({
          form_id: form === 0 ? null : uuid('f0', form),
          destination_id: operation.destination === null ? null : this.#id(operation.destination),
        }));
        const workspaceId = world.workspace(operation.workspace);
        const data = alarms.length === 1 ? { alarm: alarms[0] } : { alarms, more: 0 };
        const type = alarms.length === 1 ? 'alarm.opened' : 'alarm.digest';
        model.noteOne(workspaceId, null, type, now, data);
        return real.note(workspaceId, { type, at: at(0), data });
      }
      case 'claim': {
        const { countMax, isFull } = operation;
        const claim = {
          instanceId: uuid('1a', operation.instance),
          now: at(0),
          until: at(15_000),
          countMax,
          isFull,
        };
        // Which of several that were woken at the same time come first is undefined.
        if (countMax === 1 && model.deliver.leases.size > 1) return;
        return expect(byId(claimDestinations(model, claim))).toEqual(byId(await engine.claim(claim)));
      }
      case 'renew': {
        const args = [
          uuid('1a', operation.instance),
          this.destinations.map(({ id }) => id),
          at(15_000),
        ] as const;
        return expect(renewLeases(model, ...args).toSorted()).toEqual(
          (await engine.renew(...args)).toSorted(),
        );
      }
      case 'release': {
        const wakeAt = operation.wakeMs === null ? null : at(operation.wakeMs);
        const release = {
          destinationId: this.#id(operation.destination),
          freeAt: at(operation.freeMs),
          wakeAt,
          digestAt: operation.digestMs === null ? null : at(operation.digestMs),
        };
        releaseLeases(model, uuid('1a', operation.instance), [release]);
        return engine.release(uuid('1a', operation.instance), [release]);
      }
      case 'due': {
        const ref = this.destinations[operation.destination] as DestinationRow;
        const { limit } = operation;
        const query = { now: at(0), limit, except: [] };
        const { health, status } = findSendingDestination(model, ref.id) ?? {};
        expect(await engine.readDestination(ref.id)).toMatchObject({ health, status });
        return expect(dueOf(readDueDeliveries(model, ref, query), limit)).toEqual(
          dueOf(await engine.readDue(ref, query), limit),
        );
      }
      case 'count':
        return this.#count(this.#id(operation.destination), operation.sinceMs);
      case 'outcome':
        return this.#write(operation);
      case 'health': {
        const { failures } = operation;
        const isFailing = failures > 0;
        const changed = {
          destinationId: this.#id(operation.destination),
          version: operation.version,
          consecutiveFailures: failures,
          openedAt: failures >= 10 ? at(0) : null,
          nextProbeAt: failures >= 10 ? at(5_000) : null,
          failingSince: isFailing ? at(0) : null,
          lastError: isFailing ? 'no' : null,
        };
        saveHealth(model, [changed]);
        return engine.saveHealth([changed]);
      }
      case 'disable': {
        const { id, workspaceId, name } = this.destinations[operation.destination] as DestinationRow;
        const { version, reason } = operation;
        const disabling = { destination: { id, workspaceId, name, version }, reason, at: at(0) };
        return expect(disableDestination(model, disabling)).toBe(await engine.disable(disabling));
      }
      case 'try again':
        model.deliver.tryAgain(this.#id(operation.destination), now);
        return real.tryAgain(this.#id(operation.destination), now);
      case 'sweep':
        wakeForgotten(model, listWaiting(model, null), at(0));
        await engine.sweep(at(0));
        return;
      case 'erase': {
        const leads = [...model.leads()];
        const lead = leads[Math.floor(operation.pick * leads.length)];
        if (lead === undefined) return;
        const { workspaceId, submissionId } = lead;
        model.eraseLead(workspaceId, submissionId, now, (body) => bodyHashes.of(workspaceId, body));
        expect(await real.erase(workspaceId, submissionId, now)).toBe(true);
        return;
      }
      case 'replay': {
        const id = uuid('4b', ++this.#leads);
        const workspaceId = world.workspace(operation.workspace);
        const lastId = firstDeliveryId(at(1));
        model.deliver.replays.set(id, { id, workspaceId, lastId, afterId: null, done: 0, isFinished: false });
        await real.addReplay(id, workspaceId, now);
        expect(replaySome(model, now, this.#newId)).toBe(await engine.replaySome(at(0), this.#newId));
      }
    }
  }

  #id(number: number): string {
    return this.destinations[number]?.id as string;
  }

  #lead(verdict: 'clean' | 'spam'): NewLead {
    const id = ++this.#leads;
    const fixed = {
      workspace: id % 2,
      surface: 'server',
      key: null,
      generation: 0,
      nextGeneration: 1,
    } as const;
    const plain = { signature: null, isClaimed: false, isSuspect: false, isWild: false, ageMs: 0 } as const;
    return { ...fixed, ...plain, id, body: id, verdict };
  }

  /** Ids of deliveries differ, so each side gets its own. */
  async #write(operation: Extract<DeliverOperation, { kind: 'outcome' }>): Promise<void> {
    const { now } = this.world;
    const named = namedDeliveries(this.model);
    const row = named[Math.floor(operation.pick * named.length)];
    if (row === undefined) return;
    const { state, isStale, isTried, nextMs, sentTo } = operation;
    const outcome: Omit<DeliveryOutcome, 'deliveryId'> = {
      workspaceId: row.workspaceId,
      attemptsBefore: row.attempts + (isStale ? 1 : 0),
      state,
      nextAt: state === 'pending' ? new Date(now + nextMs) : null,
      at: new Date(now),
      status: isTried ? 500 : null,
      errorClass: state === 'delivered' ? null : 'failed',
      error: null,
      attempt: isTried ? { ms: 1, responseHead: null } : null,
      destinationVersion: isTried ? 1 : null,
      sentTo,
    };
    writeOutcomes(this.model, [{ ...outcome, deliveryId: row.id }]);
    const deliveryId = await real.deliveryId(row.destinationId, row.event.number, row.n);
    await real.engine.writeOutcomes([{ ...outcome, deliveryId }], null);
    await this.#count(row.destinationId, 20_000);
  }

  async #count(id: string, sinceMs: number): Promise<void> {
    const ref = this.destinations.find((row) => row.id === id) as DestinationRow;
    const since = new Date(this.world.now - sinceMs);
    // Which of several that were created at the same time are the newest is undefined, unless all count.
    for (const [from, countMax] of [[since, 100] as const, [new Date(0), 2] as const]) {
      const counted = countDelivered(this.model, ref, from, countMax);
      counts.add(counted);
      expect(counted).toBe(await real.engine.countDelivered(ref, from, countMax));
    }
  }
}

function byId<Ref extends { readonly id: string }>(refs: readonly Ref[]): Ref[] {
  return refs.toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

/** Which of several that are due at the same time come first is undefined. */
function dueOf({ due, nextAt }: DueDeliveries, limit: number) {
  const names = due.map((one) =>
    [one.eventNumber, one.eventType, one.submissionId, one.attempts, one.leadBytes, one.sentTo].join(),
  );
  return { due: due.length < limit ? names.toSorted() : due.length, nextAt };
}
