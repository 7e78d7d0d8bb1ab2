import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import type { FormChanges, NewForm } from '../../contract/forms/form.ts';
import { clearBrowserSettings } from '../../db/browser/browser-settings.ts';
import { nextDirectoryRevision } from '../../db/directory/directory-revision.ts';
import { clearAliasesOf } from '../../db/forms/former-slugs.ts';
import {
  type FormRecord,
  findFormForUpdate,
  insertForm,
  lockSlugs,
  markFormDeleted,
  updateForm,
} from '../../db/forms/forms.ts';
import { clearWebhookSecret } from '../../db/forms/webhook-secrets.ts';
import { deleteHeldOfForm } from '../../db/held/held-removal.ts';
import type { Principal } from '../calls/access.ts';
import { changeDirectory } from '../calls/directory-change.ts';
import { notFound } from '../calls/problem.ts';
import type { ManagementDeps } from '../deps.ts';
import { requireRoomForForm } from '../workspaces/quotas.ts';
import { giveUpSlug, slugForName, takeSlug } from './slugs.ts';

/** The form, locked until the end of the transaction. */
export async function requireForm(
  client: pg.PoolClient,
  workspaceId: string,
  formId: string,
): Promise<FormRecord> {
  const form = await findFormForUpdate(client, workspaceId, formId);
  if (form === null) throw notFound('form');
  return form;
}

export async function createForm(
  deps: ManagementDeps,
  principal: Principal,
  workspaceId: string,
  wanted: NewForm,
): Promise<FormRecord> {
  const { name, active, fields, allow_shared_slug: shared = false } = wanted;
  const settings = {
    replayProtection: wanted.replay_protection,
    keepsRejected: wanted.keeps_rejected,
    unknownKeys: wanted.unknown_keys,
    ignoredKeys: wanted.ignored_keys,
  };
  return changeDirectory(deps, async (client) => {
    const slug = wanted.slug ?? (await slugForName(client, workspaceId, name));
    await takeSlug(client, workspaceId, slug, shared);
    await requireRoomForForm(client, principal, workspaceId);
    const createdAt = new Date(deps.clock.now());
    const form = { id: randomUUID(), workspaceId, name, slug, active, fields, ...settings, createdAt };
    await insertForm(client, workspaceId, form, await nextDirectoryRevision(client));
    return { ...form, secretSetAt: null, previousSecretValidUntil: null };
  });
}

export async function changeForm(
  deps: ManagementDeps,
  workspaceId: string,
  formId: string,
  wanted: FormChanges,
): Promise<FormRecord> {
  const { allow_shared_slug: shared = false, keep_former_slug: isAlias = false, ...changes } = wanted;
  const { replay_protection: replayProtection, keeps_rejected: keepsRejected } = wanted;
  const { unknown_keys: unknownKeys, ignored_keys: ignoredKeys } = wanted;
  return changeDirectory(deps, async (client) => {
    if (changes.slug !== undefined) await lockSlugs(client);
    const current = await requireForm(client, workspaceId, formId);
    if (changes.slug !== undefined && changes.slug !== current.slug) {
      await takeSlug(client, workspaceId, changes.slug, shared);
      await giveUpSlug(client, current, new Date(deps.clock.now()), isAlias);
    }
    await updateForm(
      client,
      workspaceId,
      formId,
      { ...changes, replayProtection, keepsRejected, unknownKeys, ignoredKeys },
      await nextDirectoryRevision(client),
    );
    return requireForm(client, workspaceId, formId);
  });
}

export async function deleteForm(deps: ManagementDeps, workspaceId: string, formId: string): Promise<void> {
  await changeDirectory(deps, async (client) => {
    // First: on a cluster this may wait for a node, and meanwhile others should be able to change their forms.
    await deleteHeldOfForm(client, workspaceId, formId);
    await lockSlugs(client);
    const deletedAt = new Date(deps.clock.now());
    await giveUpSlug(client, await requireForm(client, workspaceId, formId), deletedAt);
    const revision = await nextDirectoryRevision(client);
    await markFormDeleted(client, workspaceId, formId, deletedAt, revision);
    await clearAliasesOf(client, workspaceId, formId);
    await clearWebhookSecret(client, workspaceId, formId, revision);
    await clearBrowserSettings(client, workspaceId, formId, revision);
  });
}
