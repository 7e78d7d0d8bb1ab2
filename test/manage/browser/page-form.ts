import { readDirectoryChanges, readDirectoryRevision } from '../../../src/db/directory/directory.ts';
import { SecretBox } from '../../../src/domain/secrets/secret-box.ts';
import { Directory, type FormEntry } from '../../../src/ingest/directory/directory.ts';
import { openTestPool } from '../../support/database/database.ts';
import { encryptionKey, type TestService } from '../../support/service.ts';
import { createForm, createWorkspace } from '../leads/seed.ts';

export interface PageForm {
  readonly workspaceId: string;
  readonly formId: string;
  /** Of its settings, for the management API. */
  readonly path: string;
}

export async function createPageForm(service: TestService, workspace?: string): Promise<PageForm> {
  const workspaceId = workspace ?? (await createWorkspace(service, 'Engines'));
  const { id: formId } = await createForm(service, workspaceId);
  return { workspaceId, formId, path: `/workspaces/${workspaceId}/forms/${formId}/browser` };
}

export const shop = 'https://shop.example.com';

/** The form as every instance knows it after reading only what changed since `revision`. */
export async function formSince(
  { databaseUrl }: TestService,
  { formId }: PageForm,
  revision: number,
): Promise<FormEntry['browser'] | undefined> {
  const pool = openTestPool(databaseUrl);
  try {
    const directory = new Directory(new SecretBox(encryptionKey), () => {});
    // The forms themselves did not change.
    const { forms, workspaces } = await readDirectoryChanges(pool, 0);
    const changes = await readDirectoryChanges(pool, revision);
    directory.apply({ ...changes, forms, workspaces });
    return directory.form(formId)?.browser;
  } finally {
    await pool.end();
  }
}

export async function presentRevision({ databaseUrl }: TestService): Promise<number> {
  const pool = openTestPool(databaseUrl);
  return readDirectoryRevision(pool, 10_000).finally(() => pool.end());
}
