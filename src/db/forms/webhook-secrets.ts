import { sql } from 'kysely';
import type pg from 'pg';
import type { Queryable } from '../pool.ts';
import { firstRow, onlyRow, rowsOf, run } from '../sql.ts';

export interface SecretRotation {
  readonly ciphertext: Buffer;
  readonly setAt: Date;
  readonly setBy: string;
  /** The first characters, to recognise it by. */
  readonly prefix: string | null;
  /** Until when the previous secret stays valid; null ends it immediately. */
  readonly previousValidUntil: Date | null;
}

/** Returns until when the previous secret is valid; null when there was none. */
export async function rotateWebhookSecret(
  client: pg.PoolClient,
  workspaceId: string,
  formId: string,
  { ciphertext, setAt, setBy, prefix, previousValidUntil }: SecretRotation,
  revision: number,
): Promise<Date | null> {
  const stored = await onlyRow(
    client,
    sql<Pick<SecretRotation, 'previousValidUntil'>>`
      insert into webhook_secrets as s (workspace_id, form_id, current_ciphertext, set_at, set_by, prefix, revision)
      values (${workspaceId}, ${formId}, ${ciphertext}, ${setAt}, ${setBy}, ${prefix}, ${revision})
      on conflict (form_id) do update set
        previous_ciphertext = case when ${previousValidUntil}::timestamptz is not null then s.current_ciphertext end,
        previous_valid_until = case when s.current_ciphertext is not null then ${previousValidUntil}::timestamptz end,
        current_ciphertext = excluded.current_ciphertext,
        set_at = excluded.set_at,
        set_by = excluded.set_by,
        prefix = excluded.prefix,
        revision = excluded.revision
      returning previous_valid_until as "previousValidUntil"`,
  );
  return stored.previousValidUntil;
}

/** Keeps the row, without ciphertexts, so that every instance reads the change. */
export async function clearWebhookSecret(
  client: pg.PoolClient,
  workspaceId: string,
  formId: string,
  revision: number,
): Promise<void> {
  await run(
    client,
    sql`update webhook_secrets set current_ciphertext = null, set_at = null, set_by = null, prefix = null,
        previous_ciphertext = null, previous_valid_until = null, revision = ${revision}
      where workspace_id = ${workspaceId} and form_id = ${formId}`,
  );
}

/** The current secret, encrypted; null when there is none. */
export async function findWebhookSecret(
  pool: pg.Pool,
  workspaceId: string,
  formId: string,
): Promise<Buffer | null> {
  const found = await firstRow(
    pool,
    sql<{ sealed: Buffer | null }>`select current_ciphertext as sealed from webhook_secrets
      where workspace_id = ${workspaceId} and form_id = ${formId}`,
  );
  return found?.sealed ?? null;
}

/** What is known about the current secret. */
export interface SecretIdentity {
  readonly prefix: string | null;
  readonly setBy: string | null;
  /** When the signature of a request last matched it. */
  readonly verifiedAt: Date | null;
}

/** Null when there is no secret. */
export async function findSecretIdentity(
  db: Queryable,
  workspaceId: string,
  formId: string,
): Promise<SecretIdentity | null> {
  return firstRow(
    db,
    sql<SecretIdentity>`select s.prefix, s.set_by as "setBy",
        case when u.verified_at >= s.set_at then u.verified_at end as "verifiedAt"
      from webhook_secrets s left join form_uses u on u.form_id = s.form_id and u.slug = ''
      where s.workspace_id = ${workspaceId} and s.form_id = ${formId} and s.current_ciphertext is not null`,
  );
}

/** After this, only the current secret is valid. */
export async function clearPreviousSecret(
  client: pg.PoolClient,
  workspaceId: string,
  formId: string,
  revision: number,
): Promise<void> {
  await run(
    client,
    sql`update webhook_secrets set previous_ciphertext = null, previous_valid_until = null, revision = ${revision}
      where workspace_id = ${workspaceId} and form_id = ${formId}`,
  );
}

/** The encrypted secrets of a form that is not deleted. */
export interface StoredSecrets {
  readonly formId: string;
  readonly formName: string;
  readonly current: Buffer | null;
  readonly previous: Buffer | null;
  readonly previousValidUntil: Date | null;
}

const listedMax = 200;

/** The secrets of a workspace, those of the given form first. */
export async function listWebhookSecrets(
  db: Queryable,
  workspaceId: string,
  formId: string,
): Promise<StoredSecrets[]> {
  return rowsOf(
    db,
    sql<StoredSecrets>`select f.id as "formId", f.name as "formName", s.current_ciphertext as current,
        s.previous_ciphertext as previous, s.previous_valid_until as "previousValidUntil"
      from webhook_secrets s join forms f on f.id = s.form_id and f.deleted_at is null
      where s.workspace_id = ${workspaceId}
      order by f.id = ${formId} desc, f.created_at desc
      limit ${listedMax}`,
  );
}

interface SampledSecret {
  readonly owner: string;
  readonly sealed: Buffer;
}

/** Some stored secrets, newest first, to find out which encryption key decrypts them. */
export async function sampleWebhookSecrets(db: Queryable, countMax: number): Promise<SampledSecret[]> {
  return rowsOf(
    db,
    sql<SampledSecret>`select form_id as owner, current_ciphertext as sealed from webhook_secrets
      where current_ciphertext is not null order by set_at desc limit ${countMax}`,
  );
}
