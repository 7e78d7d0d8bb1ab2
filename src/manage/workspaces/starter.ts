import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { nextDirectoryRevision } from '../../db/directory/directory-revision.ts';
import { insertForm, lockSlugs } from '../../db/forms/forms.ts';
import { deleteHandoversOf } from '../../db/forms/token-handovers.ts';
import {
  findTokenByHash,
  findTokenForUpdate,
  insertToken,
  markTokenRevoked,
  unusedToken,
} from '../../db/forms/tokens.ts';
import {
  clearWebhookSecret,
  findSecretIdentity,
  rotateWebhookSecret,
} from '../../db/forms/webhook-secrets.ts';
import { listLeadSources } from '../../db/leads/leads.ts';
import { insertWorkspace, listWorkspaces } from '../../db/workspaces/workspaces.ts';
import { replayProtectionDefault, unknownKeysDefault } from '../../domain/form.ts';
import { mintSigningSecret, secretPrefix } from '../../domain/secrets/signing-secret.ts';
import { hashToken, mintToken, tokenHint } from '../../domain/token.ts';
import { dayMs } from '../../time/clock.ts';
import { changeDirectory } from '../calls/directory-change.ts';
import type { ManagementDeps } from '../deps.ts';

/** Credentials of the starter form, shown once. */
export interface Starter {
  readonly slug: string;
  readonly token: string;
  readonly secret: string;
  /** When the token expires. */
  readonly validUntil: number;
}

export type StarterDeps = Pick<ManagementDeps, 'pool' | 'clock' | 'secretBox' | 'directoryChanged' | 'log'>;

/** The name of the starter workspace until its first owner renames it. */
export const starterName = 'Starter workspace';
const slug = 'website-contact';
// A token that was left in a file or a terminal does not work for ever.
const tokenDays = 7;

/** Creates a workspace to try things out in a database that has none; null if there is one. */
export async function createStarter(deps: StarterDeps): Promise<Starter | null> {
  return changeDirectory(deps, async (client) => {
    // Instances that start together on a new database create only one starter workspace.
    await lockSlugs(client);
    const existing = await listWorkspaces(client, { personId: null }, { after: null, limit: 1 });
    return existing.length > 0 ? null : insertStarter(client, deps);
  });
}

/**
 * Ends what nobody has used, of the credentials that the first start left in a file. A use is written seconds later, so a
 * lead shows it too.
 */
export async function endUnusedStarter(
  deps: StarterDeps,
  { token, secret }: Pick<Starter, 'token' | 'secret'>,
): Promise<void> {
  await changeDirectory(deps, async (client) => {
    const owner = await findTokenByHash(client, hashToken(token));
    if (owner === null) return;
    const { workspaceId, tokenId, formId } = owner;
    const now = new Date(deps.clock.now());
    const record = await findTokenForUpdate(client, workspaceId, tokenId);
    const identity = await findSecretIdentity(client, workspaceId, formId);
    const sources = await listLeadSources(client, workspaceId, formId, new Date(now.getTime() - dayMs));
    const revision = await nextDirectoryRevision(client);
    const isTokenUsed = sources.some((source) => source.tokenId === tokenId);
    if (record?.lastUsedAt === null && record.revokedAt === null && !isTokenUsed) {
      await markTokenRevoked(client, workspaceId, tokenId, now, revision);
      await deleteHandoversOf(client, tokenId);
    }
    const isSecretUsed = sources.some(({ surface }) => surface === 'webhook');
    if (identity?.prefix === secretPrefix(secret) && identity.verifiedAt === null && !isSecretUsed)
      await clearWebhookSecret(client, workspaceId, formId, revision);
  });
}

async function insertStarter(client: pg.PoolClient, { clock, secretBox }: StarterDeps): Promise<Starter> {
  const workspaceId = randomUUID();
  const formId = randomUUID();
  const createdAt = new Date(clock.now());
  const validUntil = createdAt.getTime() + tokenDays * dayMs;
  const token = mintToken('server');
  const secret = mintSigningSecret();
  const revision = await nextDirectoryRevision(client);
  await insertWorkspace(client, { id: workspaceId, name: starterName, createdAt, createdBy: null }, revision);
  const form = {
    id: formId,
    workspaceId,
    name: 'Website contact',
    slug,
    active: true,
    fields: [],
    replayProtection: replayProtectionDefault,
    keepsRejected: true,
    unknownKeys: unknownKeysDefault,
    ignoredKeys: [],
    createdAt,
  };
  await insertForm(client, workspaceId, form, revision);
  const record = {
    id: randomUUID(),
    formId,
    name: 'Starter token',
    type: 'server' as const,
    hint: tokenHint(token),
    createdAt,
    // Created by the service itself, for the operator who started it.
    creatorKind: 'operator_key' as const,
    creatorId: null,
    creatorName: null,
    expiresAt: new Date(validUntil),
    ...unusedToken,
  };
  await insertToken(client, workspaceId, record, hashToken(token), revision);
  const rotation = {
    ciphertext: secretBox.seal(secret, formId),
    setAt: createdAt,
    setBy: 'the first start',
    prefix: secretPrefix(secret),
    previousValidUntil: null,
  };
  await rotateWebhookSecret(client, workspaceId, formId, rotation, revision);
  return { slug, token, secret, validUntil };
}
