import type pg from 'pg';
import * as contract from '../../contract/people.ts';
import {
  findPasswordReset,
  type PasswordReset,
  type ResetMaker,
  takePasswordReset,
} from '../../db/people/password-resets.ts';
import { findPersonByEmail, proveEmail, setPassword } from '../../db/people/people.ts';
import { deleteSessionsOf } from '../../db/people/sessions.ts';
import { inTransaction, type Queryable } from '../../db/pool.ts';
import { insertAudit } from '../../db/workspaces/audit-log.ts';
import { listWorkspacesOf } from '../../db/workspaces/memberships.ts';
import type { Client } from '../accounts/accounts.ts';
import { requireGoodPassword } from '../accounts/passwords/common-passwords.ts';
import { auditRecord } from '../audit/audit.ts';
import { madeByPerson } from '../audit/audit-phrases.ts';
import { notFound } from '../calls/problem.ts';
import { route } from '../calls/route.ts';
import type { ManagementDeps } from '../deps.ts';
import { hashLinkToken } from './link-token.ts';
import { mailedLifetimeMs, makeLink } from './password-links.ts';

/** For people who have forgotten their password. */
export const passwordResetRoutes = [
  route(contract.readPasswordResetMail, async (_call, { mail }) => ({ mailed: mail.isOn })),
  route(contract.askForPasswordReset, async ({ body: { email }, client }, deps) => {
    await deps.accounts.resets.asked(email, client.address);
    // Respond before the lookup, so that the response time reveals nothing either.
    if (deps.mail.isOn)
      void mailLink(deps, email).catch((error) =>
        deps.log.warn({ err: error }, 'password reset link not created'),
      );
    return { mailed: deps.mail.isOn };
  }),
  route(contract.readPasswordReset, async ({ body, client }, deps) => {
    await deps.accounts.resets.used(client.address);
    const { person } = await requireReset(deps.pool, deps, hashLinkToken(body.token));
    return { email: person.email };
  }),
  route(contract.resetPassword, async ({ body: { token, password }, client }, deps) => {
    await deps.accounts.resets.used(client.address);
    const tokenHash = hashLinkToken(token);
    // Check the link before doing anything expensive.
    const { person } = await requireReset(deps.pool, deps, tokenHash);
    requireGoodPassword(password, person, 'password');
    const passwordHash = await deps.accounts.hasher.hash(password);
    await inTransaction(deps.pool, (db) => complete(db, deps, person.id, tokenHash, passwordHash, client));
    deps.events.note({ kind: 'passwordChanged', address: client.address, person });
  }),
];

async function complete(
  db: pg.PoolClient,
  deps: ManagementDeps,
  personId: string,
  tokenHash: Buffer,
  passwordHash: string,
  client: Client,
): Promise<void> {
  const now = new Date(deps.clock.now());
  const reset = await takePasswordReset(db, personId, tokenHash, now);
  if (reset === null) throw notFound('link');
  await setPassword(db, personId, passwordHash, now);
  if (reset.isMailed) await proveEmail(db, personId, now);
  await deleteSessionsOf(db, personId);
  await keepTrace(db, deps, reset, client);
}

async function requireReset(
  db: Queryable,
  { clock }: Pick<ManagementDeps, 'clock'>,
  tokenHash: Buffer,
): Promise<PasswordReset> {
  const found = await findPasswordReset(db, tokenHash, new Date(clock.now()));
  if (found === null) throw notFound('link');
  return found;
}

/** In the audit log of each workspace of the person; without one, or for an operator, in the operator log. */
async function keepTrace(
  db: pg.PoolClient,
  deps: ManagementDeps,
  { person, madeBy }: PasswordReset,
  { address }: Client,
): Promise<void> {
  const what = {
    action: 'setANewPasswordByALink',
    target: { person_id: person.id },
    changes: { link_made_by: madeBy },
    address: address || null,
  };
  const workspaces = (await listWorkspacesOf(db, person.id)).map(({ id }) => id);
  const places = workspaces.length === 0 || person.operator ? [...workspaces, null] : workspaces;
  for (const place of places) {
    const record = auditRecord(
      deps,
      { kind: 'person', person },
      place,
      { ...what, byOperator: place === null },
      true,
    );
    await insertAudit(db, record);
  }
}

async function mailLink(deps: ManagementDeps, email: string): Promise<void> {
  const person = await findPersonByEmail(deps.pool, email);
  if (person === null) return;
  const maker: ResetMaker = { kind: 'self' };
  const link = { personId: person.id, maker, madeBy: madeByPerson };
  const made = await makeLink(deps, link, mailedLifetimeMs);
  await deps.mail.send({
    to: email,
    subject: 'Reset your Leadgate password',
    text: `Someone, probably you, asked to reset your password. Open this link within an hour to choose a new one:\n\n${made.link}\n\nIf it was not you, ignore this email. Your password stays the same.\n`,
  });
}
