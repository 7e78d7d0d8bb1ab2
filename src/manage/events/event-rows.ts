import { hash } from 'node:crypto';
import type pg from 'pg';
import type { Logger } from 'pino';
import { type AuditRecord, countEvent } from '../../db/audit-log.ts';
import { listWorkspacesOf } from '../../db/memberships.ts';
import { findPersonByEmail } from '../../db/people.ts';
import type { EventPerson } from './security-event.ts';
import { isOfStranger } from './security-event.ts';
import type { CountedEvent } from './security-events.ts';

/** Into the log, and a row for each place where it is to be seen. What cannot be written is said in the log, and nothing else. */
export async function writeEvent(pool: pg.Pool, log: Logger, counted: CountedEvent): Promise<void> {
  const { event, network, count } = counted;
  try {
    const person = await personOf(pool, counted);
    const { kind, operation, workspaceId } = event;
    const address = network === null ? undefined : event.address;
    const facts = {
      event: kind,
      person_id: person?.id,
      address,
      workspace_id: workspaceId,
      operation,
      count,
    };
    log.info(facts, 'security event');
    for (const place of await placesOf(pool, counted, person)) {
      await countEvent(pool, recordOf(counted, person, place));
    }
  } catch (error) {
    const { kind, address } = event;
    log.warn(
      { err: error, event: kind, address, count },
      'a security event could not be written to the audit log',
    );
  }
}

async function personOf(
  pool: pg.Pool,
  { event: { person, email } }: CountedEvent,
): Promise<(EventPerson & { readonly operator?: boolean }) | null> {
  if (person !== undefined) return person;
  return email === undefined ? null : findPersonByEmail(pool, email);
}

/** Null is the operators' log. Where somebody is no member, nobody is told who he is: the operators see what he tried. */
async function placesOf(
  pool: pg.Pool,
  { event }: CountedEvent,
  person: (EventPerson & { readonly operator?: boolean }) | null,
): Promise<(string | null)[]> {
  if (event.kind === 'accessRefused') return [event.workspaceId ?? null];
  if (person === null) return [null];
  const workspaces = (await listWorkspacesOf(pool, person.id)).map(({ id }) => id);
  return workspaces.length === 0 || person.operator === true ? [...workspaces, null] : workspaces;
}

function recordOf(counted: CountedEvent, person: EventPerson | null, place: string | null): AuditRecord {
  const { event, network, firstAt, hourAt, count } = counted;
  const { kind, operation } = event;
  const isKnown = person !== null && !isOfStranger(kind);
  return {
    id: uuidOf([kind, place, network, person?.id, operation, hourAt]),
    workspaceId: place,
    at: new Date(firstAt),
    actorKind: isKnown ? 'person' : 'nobody',
    actorId: isKnown ? person.id : null,
    actorName: isKnown ? person.email : 'nobody',
    action: kind,
    target: person === null ? {} : { person_id: person.id },
    changes: operation === undefined ? {} : { operation },
    completed: true,
    byOperator: place === null,
    address: network === null ? null : event.address,
    times: count,
  };
}

/** The same for the same, so that instances and repeated writes count in one row. */
function uuidOf(parts: readonly unknown[]): string {
  const hex = hash('sha256', JSON.stringify(parts), 'hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
