import type pg from 'pg';
import type { FormField, ReplayProtection } from '../../domain/form.ts';
import type { ScoringSettings } from '../../domain/score/settings/settings.ts';
import type { TokenType } from '../../domain/token.ts';
import { findIdRoot } from '../keys/id-root.ts';
import { inTransaction } from '../pool.ts';

export const directoryChannel = 'leadgate_directory';

export interface WorkspaceRow {
  readonly id: string;
  readonly status: 'active' | 'suspended';
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

export interface DirectoryChanges {
  readonly revision: number;
  /** What ids of submissions follow from, sealed. Always told whole; null while none is stored. */
  readonly idRoot: Buffer | null;
  readonly workspaces: readonly WorkspaceRow[];
  readonly forms: readonly FormRow[];
  readonly secrets: readonly SecretRow[];
  readonly tokens: readonly TokenRow[];
}

export async function readDirectoryRevision(pool: pg.Pool, timeoutMs: number): Promise<number> {
  const { rows } = await pool.query({
    text: 'select revision from directory_revision',
    query_timeout: timeoutMs,
  } as pg.QueryConfig);
  return rows[0].revision;
}

/** Every row written after `since`, all from one snapshot. */
export async function readDirectoryChanges(pool: pg.Pool, since: number): Promise<DirectoryChanges> {
  return inTransaction(pool, async (client) => {
    await client.query('set transaction isolation level repeatable read read only');
    const rowsOf = async (columns: string, table: string) =>
      (await client.query(`select ${columns} from ${table} where revision > $1`, [since])).rows;
    const { rows } = await client.query('select revision from directory_revision');
    return {
      revision: rows[0].revision,
      idRoot: await findIdRoot(client),
      workspaces: await rowsOf('id, status', 'workspaces'),
      forms: await rowsOf(
        `id, workspace_id as "workspaceId", slug, active, fields, scoring, scoring_version as "scoringVersion",
         replay_protection as "replayProtection", deleted_at as "deletedAt"`,
        'forms',
      ),
      secrets: await rowsOf(
        `form_id as "formId", current_ciphertext as "currentCiphertext",
         previous_ciphertext as "previousCiphertext", previous_valid_until as "previousValidUntil"`,
        'webhook_secrets',
      ),
      tokens: await rowsOf(
        `id, workspace_id as "workspaceId", form_id as "formId", type, hash,
         expires_at as "expiresAt", revoked_at as "revokedAt", replaced_by as "replacedBy"`,
        'tokens',
      ),
    };
  });
}
