import type { Session } from '../../contract/people/sessions.ts';
import * as contract from '../../contract/people/sessions.ts';
import {
  deleteOtherSessions,
  deleteSession,
  listSessionsOf,
  type SessionRecord,
} from '../../db/people/sessions.ts';
import { networkOf } from '../../http/client-address.ts';
import { type Client, type Session as SignedIn, sessionMsMax } from '../accounts/accounts.ts';
import { notFound, Problem } from '../calls/problem.ts';
import { route } from '../calls/route.ts';
import type { ManagementDeps } from '../deps.ts';
import { browserName } from './browser-name.ts';

// More than people have; programs may sign in again and again.
const sessionsMax = 100;

/** The sessions of the signed-in person, without their tokens: scripts of the page must not be able to read those. */
export const sessionRoutes = [
  route(contract.listSessions, async ({ client }, deps) => {
    const { id, person } = await requireSession(client, deps);
    const { now, createdAfter } = limitsOf(deps);
    const found = await listSessionsOf(deps.pool, person.id, now, createdAfter, sessionsMax);
    const items = found.map((session) => viewSession(session, id, client));
    return { items: items.sort((one, other) => Number(other.current) - Number(one.current)) };
  }),
  route(contract.endSession, async ({ params: { session_id }, client }, deps) => {
    const { person } = await requireSession(client, deps);
    if (!(await deleteSession(deps.pool, person.id, session_id))) throw notFound('session');
    deps.events.note({ kind: 'sessionEnded', address: client.address, person });
  }),
  route(contract.endOtherSessions, async ({ client }, deps) => {
    const { id, person } = await requireSession(client, deps);
    const { now, createdAfter } = limitsOf(deps);
    const ended = await deleteOtherSessions(deps.pool, person.id, id, now, createdAfter);
    if (ended > 0) deps.events.note({ kind: 'otherSessionsEnded', address: client.address, person });
    return { ended };
  }),
];

/** Read again, because a call knows the person and not their session. */
async function requireSession(client: Client, { accounts }: ManagementDeps): Promise<SignedIn> {
  const session = await accounts.readSession(client);
  if (session === null) throw new Problem('unauthorized', 'Sign in first.');
  return session;
}

function limitsOf({ clock }: ManagementDeps) {
  const now = clock.now();
  return { now: new Date(now), createdAfter: new Date(now - sessionMsMax) };
}

function viewSession(record: SessionRecord, currentId: string, { address }: Client): Session {
  const isSameNetwork =
    record.address !== null && address !== '' && networkOf(record.address) === networkOf(address);
  return {
    id: record.id,
    current: record.id === currentId,
    ...browserName(record.userAgent),
    address: record.address || null,
    same_network: isSameNetwork,
    created_at: record.createdAt.toISOString(),
    last_seen_at: record.lastSeenAt.toISOString(),
    expires_at: record.expiresAt.toISOString(),
  };
}
