import type pg from 'pg';
import type { Queryable } from '../pool.ts';

export interface SecretRotation {
  readonly ciphertext: Buffer;
  readonly setAt: Date;
  /** Until when the secret used so far also verifies; null ends it at once. */
  readonly previousValidUntil: Date | null;
}

/** Answers until when the previous secret verifies: null when there was none. */
export async function rotateWebhookSecret(
  client: pg.PoolClient,
  workspaceId: string,
  formId: string,
  { ciphertext, setAt, previousValidUntil }: SecretRotation,
  revision: number,
): Promise<Date | null> {
  const { rows } = await client.query(
    `insert into webhook_secrets as s (workspace_id, form_id, current_ciphertext, set_at, revision)
     values ($1, $2, $3, $4, $6)
     on conflict (form_id) do update set
       previous_ciphertext = case when $5::timestamptz is not null then s.current_ciphertext end,
       previous_valid_until = case when s.current_ciphertext is not null then $5::timestamptz end,
       current_ciphertext = excluded.current_ciphertext,
       set_at = excluded.set_at,
       revision = excluded.revision
     returning previous_valid_until as "previousValidUntil"`,
    [workspaceId, formId, ciphertext, setAt, previousValidUntil, revision],
  );
  return rows[0].previousValidUntil;
}

/** The row stays, without ciphertexts, so that every instance learns of the change. */
export async function clearWebhookSecret(
  client: pg.PoolClient,
  workspaceId: string,
  formId: string,
  revision: number,
): Promise<void> {
  await client.query(
    `update webhook_secrets set current_ciphertext = null, set_at = null, previous_ciphertext = null,
       previous_valid_until = null, revision = $3
     where workspace_id = $1 and form_id = $2`,
    [workspaceId, formId, revision],
  );
}

/** The secret that verifies now, as it is stored; null when there is none. */
export async function findWebhookSecret(
  pool: pg.Pool,
  workspaceId: string,
  formId: string,
): Promise<Buffer | null> {
  const { rows } = await pool.query(
    'select current_ciphertext as "sealed" from webhook_secrets where workspace_id = $1 and form_id = $2',
    [workspaceId, formId],
  );
  return rows[0]?.sealed ?? null;
}

/** From then on only the newest secret verifies. */
export async function clearPreviousSecret(
  client: pg.PoolClient,
  workspaceId: string,
  formId: string,
  revision: number,
): Promise<void> {
  await client.query(
    `update webhook_secrets set previous_ciphertext = null, previous_valid_until = null, revision = $3
     where workspace_id = $1 and form_id = $2`,
    [workspaceId, formId, revision],
  );
}

/** The sealed secrets of one living form. */
export interface StoredSecrets {
  readonly formId: string;
  readonly formName: string;
  readonly current: Buffer | null;
  readonly previous: Buffer | null;
  readonly previousValidUntil: Date | null;
}

const listedMax = 200;

/** Those of a workspace, the given form's first. */
export async function listWebhookSecrets(
  db: Queryable,
  workspaceId: string,
  formId: string,
): Promise<StoredSecrets[]> {
  const { rows } = await db.query(
    `select f.id as "formId", f.name as "formName", s.current_ciphertext as current,
       s.previous_ciphertext as previous, s.previous_valid_until as "previousValidUntil"
     from webhook_secrets s join forms f on f.id = s.form_id and f.deleted_at is null
     where s.workspace_id = $1
     order by f.id = $2 desc, f.created_at desc
     limit $3`,
    [workspaceId, formId, listedMax],
  );
  return rows;
}

/** Some stored secrets, newest first, to see which encryption key opens them. */
export async function sampleWebhookSecrets(
  db: Queryable,
  countMax: number,
): Promise<{ readonly owner: string; readonly sealed: Buffer }[]> {
  const { rows } = await db.query(
    `select form_id as owner, current_ciphertext as sealed from webhook_secrets
     where current_ciphertext is not null order by set_at desc limit $1`,
    [countMax],
  );
  return rows;
}
