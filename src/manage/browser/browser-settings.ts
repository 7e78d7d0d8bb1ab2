import type pg from 'pg';
import type { BrowserSettings, BrowserSettingsInput } from '../../contract/browser/settings.ts';
import {
  type BrowserSettingsRecord,
  findBrowserForm,
  findBrowserSettings,
  raiseBrowserEpoch,
  saveBrowserSettings,
} from '../../db/browser/browser-settings.ts';
import { nextDirectoryRevision } from '../../db/directory/directory-revision.ts';
import { newPublicKey } from '../../domain/browser/public-key.ts';
import { changeDirectory } from '../calls/directory-change.ts';
import { notFound } from '../calls/problem.ts';
import type { ManagementDeps } from '../deps.ts';
import { requireForm } from '../forms/form-changes.ts';
import { choicesOf } from './browser-choices.ts';
import { defaultSettings, viewSettings } from './browser-view.ts';

export async function readSettings(
  deps: ManagementDeps,
  workspaceId: string,
  formId: string,
): Promise<BrowserSettings> {
  const form = await findBrowserForm(deps.pool, workspaceId, formId);
  if (form === null) throw notFound('form');
  return viewSettings(deps, form.settings ?? defaultSettings);
}

export async function saveSettings(
  deps: ManagementDeps,
  workspaceId: string,
  formId: string,
  wanted: BrowserSettingsInput,
): Promise<BrowserSettings> {
  const saved = await changeDirectory(deps, async (client) => {
    await requireForm(client, workspaceId, formId);
    const before = (await findBrowserSettings(client, workspaceId, formId)) ?? defaultSettings;
    const choices = choicesOf(formId, wanted, before, deps.secretBox, deps.clock.now());
    const revision = await nextDirectoryRevision(client);
    return saveBrowserSettings(client, workspaceId, formId, choices, newPublicKey(), revision);
  });
  return viewSettings(deps, saved);
}

export async function endTokens(
  deps: ManagementDeps,
  workspaceId: string,
  formId: string,
): Promise<BrowserSettings> {
  const ended = await changeSettings(deps, workspaceId, formId, (client, revision) =>
    raiseBrowserEpoch(client, workspaceId, formId, revision),
  );
  return viewSettings(deps, ended);
}

/** Changes a part that is not among the choices. A form without settings gets the default ones first. */
export async function changeSettings(
  deps: ManagementDeps,
  workspaceId: string,
  formId: string,
  change: (client: pg.PoolClient, revision: number) => Promise<BrowserSettingsRecord>,
): Promise<BrowserSettingsRecord> {
  return changeDirectory(deps, async (client) => {
    await requireForm(client, workspaceId, formId);
    const before = await findBrowserSettings(client, workspaceId, formId);
    const revision = await nextDirectoryRevision(client);
    if (before === null)
      await saveBrowserSettings(client, workspaceId, formId, defaultSettings, newPublicKey(), revision);
    return change(client, revision);
  });
}
