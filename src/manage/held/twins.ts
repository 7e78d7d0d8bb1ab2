import { keyOf } from '../../db/held/decisions/admitted-leads.ts';
import { readHeldRows } from '../../db/held/decisions/held-rows.ts';
import {
  bodyDigest,
  type DigestedTwin,
  findEqualLeads,
  findKeyOwners,
  type PossibleTwin,
  possibleTwins,
} from '../../db/held/twins.ts';
import type { HeldClass } from '../../domain/held/held-class.ts';
import type { Surface } from '../../domain/surface.ts';
import { Turns } from '../../time/turns.ts';
import type { ManagementDeps } from '../deps.ts';
import { openHeld } from './open-held.ts';
import type { OpenedHeld } from './score-held.ts';

type OpenDeps = Pick<ManagementDeps, 'pool' | 'clock' | 'secretBox'>;

export interface KeyedHeld extends PossibleTwin {
  readonly surface: Surface;
  readonly class: HeldClass;
  readonly keyHash: Buffer | null;
}

/** The leads that held requests are copies of, by the ids of the requests. */
export interface Twins {
  /** The lead that has its idempotency key. */
  readonly keyed: Map<string, string>;
  /** An equal lead of the same form. */
  readonly equal: Map<string, string>;
}

export const openedAtOnce = 100;

/** Only those that may be copies are opened. */
export async function findTwins(
  deps: OpenDeps,
  workspaceId: string,
  rows: readonly KeyedHeld[],
): Promise<Twins> {
  const { pool, clock } = deps;
  const withKeys = rows.map((row) => ({ id: row.id, keyHash: keyOf(row) }));
  const keyed = await findKeyOwners(pool, workspaceId, withKeys, new Date(clock.now()));
  const suspects = await possibleTwins(pool, workspaceId, rows);
  const digested: DigestedTwin[] = [];
  const turns = new Turns(clock);
  for (let start = 0; start < suspects.length; start += openedAtOnce) {
    const some = suspects.slice(start, start + openedAtOnce);
    for (const { id, formId, receivedAt, body } of await openAll(deps, workspaceId, some)) {
      digested.push({ id, formId, receivedAt, bodyBytes: body.length, digest: bodyDigest(body) });
      await turns.take();
    }
  }
  // All together, because it reads the leads of weeks.
  return { keyed, equal: await findEqualLeads(pool, workspaceId, digested) };
}

/** Those that cannot be read are missing. */
export async function openAll(
  { pool, clock, secretBox }: OpenDeps,
  workspaceId: string,
  rows: readonly { readonly id: string }[],
): Promise<OpenedHeld[]> {
  const ids = rows.map(({ id }) => id);
  const sealed = await readHeldRows(pool, workspaceId, ids, new Date(clock.now()));
  const turns = new Turns(clock);
  const opened: OpenedHeld[] = [];
  for (const row of sealed) {
    const request = openHeld(secretBox, row);
    if (request !== null && request !== 'unreadable' && request.body !== null)
      opened.push({ ...row, body: request.body, contentType: request.contentType });
    await turns.take();
  }
  return opened;
}
