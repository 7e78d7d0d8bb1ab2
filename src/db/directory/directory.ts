import { type RawBuilder, sql } from 'kysely';
import type pg from 'pg';
import type { Protection } from '../../domain/browser/protection.ts';
import type { FormField, ReplayProtection } from '../../domain/form.ts';
import type { NumberedModel } from '../../domain/score/learning/learned-model.ts';
import type { ScoringSettings } from '../../domain/score/settings/settings.ts';
import type { TokenType } from '../../domain/token.ts';
import { learnedModel } from '../forms/form-learning.ts';
import { findIdRoot } from '../keys/id-root.ts';
import { inTransaction } from '../pool.ts';
import { onlyRow, rowsOf } from '../sql.ts';

export const directoryChannel = 'leadgate_directory';

export interface WorkspaceRow {
  readonly id: string;
  readonly status: 'active' | 'suspended';
  /** For how long rejected requests are kept; 0 for not at all. */
  readonly heldDays: number;
}

export interface FormRow {
  readonly id: string;
  readonly workspaceId: string;
  readonly slug: string;
  readonly active: boolean;
  readonly fields: readonly FormField[];
  readonly replayProtection: ReplayProtection;
  readonly scoring: ScoringSettings | null;
  readonly scoringVersion: number;
  /** What it has learned from marks. Missing in snapshots of older versions. */
  readonly learned?: NumberedModel | null;
  readonly keepsRejected: boolean;
  readonly deletedAt: Date | null;
}

export interface SecretRow {
  readonly formId: string;
  readonly currentCiphertext: Buffer | null;
  readonly previousCiphertext: Buffer | null;
  readonly previousValidUntil: Date | null;
}

export interface TokenRow {
  readonly id: string;
  readonly workspaceId: string;
  readonly formId: string;
  readonly type: TokenType;
  readonly hash: Buffer;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
  readonly replacedBy: string | null;
}

export interface BrowserRow {
  readonly formId: string;
  readonly enabled: boolean;
  readonly publicKey: string;
  readonly origins: readonly string[];
  readonly localhostUntil: Date | null;
  readonly protection: Protection;
  readonly captchaSiteKey: string | null;
  readonly captchaCiphertext: Buffer | null;
  readonly mintSecretCiphertext: Buffer | null;
  readonly previousMintSecretCiphertext: Buffer | null;
  readonly previousMintSecretValidUntil: Date | null;
  readonly epoch: number;
  readonly ttlSeconds: number;
  readonly noScript: boolean;
  readonly thanksUrl: string | null;
}

/** A slug that a form gave up and that stays reserved for its workspace. */
export interface FormerSlugRow {
  readonly slug: string;
  readonly workspaceId: string;
  readonly formId: string;
  /** Until when it still leads to the form. Missing in snapshots of older versions. */
  readonly aliasUntil?: Date | null;
}

export interface DirectoryChanges {
  readonly revision: number;
  /** The root that submission ids are derived from, encrypted. Included in every read; null while none is stored. */
  readonly idRoot: Buffer | null;
  readonly workspaces: readonly WorkspaceRow[];
  readonly forms: readonly FormRow[];
  readonly secrets: readonly SecretRow[];
  readonly tokens: readonly TokenRow[];
  /** Missing in snapshots of older versions. */
  readonly browser?: readonly BrowserRow[];
  /** All of every workspace that `forms` names, if the form still exists. Missing in snapshots of older versions. */
  readonly formerSlugs?: readonly FormerSlugRow[];
}

const newest = sql<{ readonly revision: number }>`select revision from directory_revision`;

export async function readDirectoryRevision(pool: pg.Pool, timeoutMs: number): Promise<number> {
  return (await onlyRow(pool, newest, timeoutMs)).revision;
}

/** Every row with a revision above `since`, read in one snapshot. */
export async function readDirectoryChanges(pool: pg.Pool, since: number): Promise<DirectoryChanges> {
  return inTransaction(pool, async (client) => {
    await client.query('set transaction isolation level repeatable read read only');
    const changed = <Row>(columns: RawBuilder<unknown>, table: RawBuilder<unknown>) =>
      rowsOf(client, sql<Row>`select ${columns} from ${table} where revision > ${since}`);
    return {
      revision: (await onlyRow(client, newest)).revision,
      idRoot: await findIdRoot(client),
      workspaces: await changed<WorkspaceRow>(sql`id, status, held_days as "heldDays"`, sql`workspaces`),
      forms: await rowsOf(client, formsSince(since)),
      secrets: await changed<SecretRow>(secretColumns, sql`webhook_secrets`),
      tokens: await changed<TokenRow>(tokenColumns, sql`tokens`),
      browser: await changed<BrowserRow>(browserColumns, sql`browser_settings`),
      formerSlugs: await rowsOf(client, formerSlugsSince(since)),
    };
  });
}

/** They have no revision of their own: whatever gives up, takes or releases a slug sets that of a form of the workspace. */
const formerSlugsSince = (since: number) => sql<FormerSlugRow>`
  select s.slug, s.workspace_id as "workspaceId", s.form_id as "formId", s.alias_until as "aliasUntil"
  from former_slugs s join forms f on f.id = s.form_id and f.deleted_at is null
  where s.workspace_id in (select workspace_id from forms where revision > ${since})`;

/** With what they have learned, which has its own revision, because marks change it. */
const formsSince = (since: number) => sql<FormRow>`
  select f.id, f.workspace_id as "workspaceId", f.slug, f.active, f.fields, f.scoring,
    f.scoring_version as "scoringVersion", f.replay_protection as "replayProtection",
    f.keeps_rejected as "keepsRejected", f.deleted_at as "deletedAt", ${learnedModel} as learned
  from forms f left join form_learning l on l.form_id = f.id
  where f.id in (
    select id from forms where revision > ${since}
    union all select form_id from form_learning where revision > ${since})`;
const secretColumns = sql`form_id as "formId", current_ciphertext as "currentCiphertext",
  previous_ciphertext as "previousCiphertext", previous_valid_until as "previousValidUntil"`;
const tokenColumns = sql`id, workspace_id as "workspaceId", form_id as "formId", type, hash,
  expires_at as "expiresAt", revoked_at as "revokedAt", replaced_by as "replacedBy"`;
const browserColumns = sql`form_id as "formId", enabled, public_key as "publicKey", origins,
  localhost_until as "localhostUntil", protection, captcha_site_key as "captchaSiteKey",
  captcha_ciphertext as "captchaCiphertext", mint_secret_ciphertext as "mintSecretCiphertext",
  previous_mint_secret_ciphertext as "previousMintSecretCiphertext",
  previous_mint_secret_valid_until as "previousMintSecretValidUntil", epoch, ttl_s as "ttlSeconds",
  no_script as "noScript", thanks_url as "thanksUrl"`;
