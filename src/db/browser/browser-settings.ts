import { sql } from 'kysely';
import type pg from 'pg';
import type { Protection } from '../../domain/browser/protection.ts';
import type { Queryable } from '../pool.ts';
import { allOf, firstRow, onlyRow, run } from '../sql.ts';

/** What an owner sets. */
export interface BrowserChoices {
  readonly enabled: boolean;
  readonly origins: readonly string[];
  readonly localhostUntil: Date | null;
  readonly protection: Protection;
  readonly captchaSiteKey: string | null;
  readonly captchaCiphertext: Buffer | null;
  readonly ttlSeconds: number;
  readonly noScript: boolean;
  readonly thanksUrl: string | null;
}

export interface BrowserSettingsRecord extends BrowserChoices {
  readonly publicKey: string;
  readonly epoch: number;
  readonly mintSecretSetAt: Date | null;
  readonly previousMintSecretValidUntil: Date | null;
}

/** A form that is not deleted, with what decides whether its pages may send leads. */
export interface BrowserForm {
  readonly workspaceId: string;
  readonly isSuspended: boolean;
  readonly isActive: boolean;
  /** Null until something is set for the first time. */
  readonly settings: BrowserSettingsRecord | null;
}

const columns = sql`enabled, public_key as "publicKey", origins, localhost_until as "localhostUntil", protection,
  captcha_site_key as "captchaSiteKey", captcha_ciphertext as "captchaCiphertext", ttl_s as "ttlSeconds",
  no_script as "noScript", thanks_url as "thanksUrl", epoch, mint_secret_set_at as "mintSecretSetAt",
  previous_mint_secret_valid_until as "previousMintSecretValidUntil"`;

export async function findBrowserSettings(
  db: Queryable,
  workspaceId: string,
  formId: string,
): Promise<BrowserSettingsRecord | null> {
  return firstRow(
    db,
    sql<BrowserSettingsRecord>`select ${columns} from browser_settings
      where workspace_id = ${workspaceId} and form_id = ${formId}`,
  );
}

/** `workspaceId` is null for a caller who may use the forms of every workspace. */
export async function findBrowserForm(
  db: Queryable,
  workspaceId: string | null,
  formId: string,
): Promise<BrowserForm | null> {
  const conditions = [sql`f.id = ${formId} and f.deleted_at is null`];
  if (workspaceId !== null) conditions.push(sql`f.workspace_id = ${workspaceId}`);
  const form = await firstRow(
    db,
    sql<Omit<BrowserForm, 'settings'>>`
      select f.workspace_id as "workspaceId", w.status = 'suspended' as "isSuspended", f.active as "isActive"
      from forms f join workspaces w on w.id = f.workspace_id
      where ${allOf(conditions)}`,
  );
  return form === null
    ? null
    : { ...form, settings: await findBrowserSettings(db, form.workspaceId, formId) };
}

/** The public key is kept if there is one, like the epoch and the mint secret: they are changed separately. */
export async function saveBrowserSettings(
  client: pg.PoolClient,
  workspaceId: string,
  formId: string,
  choices: BrowserChoices,
  newPublicKey: string,
  revision: number,
): Promise<BrowserSettingsRecord> {
  const { enabled, origins, localhostUntil, protection, captchaSiteKey, captchaCiphertext } = choices;
  const { ttlSeconds, noScript, thanksUrl } = choices;
  return onlyRow(
    client,
    sql<BrowserSettingsRecord>`
      insert into browser_settings (form_id, workspace_id, public_key, enabled, origins, localhost_until, protection,
        captcha_site_key, captcha_ciphertext, ttl_s, no_script, thanks_url, revision)
      values (${formId}, ${workspaceId}, ${newPublicKey}, ${enabled}, ${origins}::text[], ${localhostUntil},
        ${protection}, ${captchaSiteKey}, ${captchaCiphertext}, ${ttlSeconds}, ${noScript}, ${thanksUrl}, ${revision})
      on conflict (form_id) do update set enabled = excluded.enabled, origins = excluded.origins,
        localhost_until = excluded.localhost_until, protection = excluded.protection,
        captcha_site_key = excluded.captcha_site_key, captcha_ciphertext = excluded.captcha_ciphertext,
        ttl_s = excluded.ttl_s, no_script = excluded.no_script, thanks_url = excluded.thanks_url,
        revision = excluded.revision
      returning ${columns}`,
  );
}

/** Ends all tokens. The form has settings. */
export async function raiseBrowserEpoch(
  client: pg.PoolClient,
  workspaceId: string,
  formId: string,
  revision: number,
): Promise<BrowserSettingsRecord> {
  return onlyRow(
    client,
    sql<BrowserSettingsRecord>`update browser_settings set epoch = epoch + 1, revision = ${revision}
      where workspace_id = ${workspaceId} and form_id = ${formId}
      returning ${columns}`,
  );
}

export interface MintSecretRotation {
  readonly ciphertext: Buffer;
  readonly setAt: Date;
  /** Until when the previous secret stays valid; null ends it immediately. */
  readonly previousValidUntil: Date | null;
}

/** The form has settings. */
export async function rotateMintSecret(
  client: pg.PoolClient,
  workspaceId: string,
  formId: string,
  { ciphertext, setAt, previousValidUntil }: MintSecretRotation,
  revision: number,
): Promise<BrowserSettingsRecord> {
  const isKept = sql`mint_secret_ciphertext is not null and ${previousValidUntil}::timestamptz is not null`;
  return onlyRow(
    client,
    sql<BrowserSettingsRecord>`update browser_settings set
        previous_mint_secret_ciphertext = case when ${isKept} then mint_secret_ciphertext end,
        previous_mint_secret_valid_until = case when ${isKept} then ${previousValidUntil}::timestamptz end,
        mint_secret_ciphertext = ${ciphertext}, mint_secret_set_at = ${setAt}, revision = ${revision}
      where workspace_id = ${workspaceId} and form_id = ${formId}
      returning ${columns}`,
  );
}

/** For a form that is deleted. Keeps the row, without ciphertexts, so that every instance reads the change. */
export async function clearBrowserSettings(
  client: pg.PoolClient,
  workspaceId: string,
  formId: string,
  revision: number,
): Promise<void> {
  await run(
    client,
    sql`update browser_settings set enabled = false, captcha_ciphertext = null, mint_secret_ciphertext = null,
        mint_secret_set_at = null, previous_mint_secret_ciphertext = null, previous_mint_secret_valid_until = null,
        revision = ${revision}
      where workspace_id = ${workspaceId} and form_id = ${formId}`,
  );
}
