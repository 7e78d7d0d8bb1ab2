import { sql } from 'kysely';
import type pg from 'pg';
import type { Queryable } from '../pool.ts';
import { firstRow, rowsOf, run } from '../sql.ts';

/** An owner's own provider, with its secrets encrypted. */
export interface ProviderRecord {
  readonly workspaceId: string;
  readonly url: string;
  readonly send: 'domain' | 'email';
  readonly headerName: string | null;
  readonly headerCiphertext: Buffer | null;
  readonly signingCiphertext: Buffer;
  readonly mapping: Record<string, string>;
  /** The number of questions per day. */
  readonly dailyLimit: number;
  readonly updatedAt: Date;
}

const columns = sql`workspace_id as "workspaceId", url, send, header_name as "headerName",
  header_ciphertext as "headerCiphertext", signing_ciphertext as "signingCiphertext", mapping, revision,
  daily_limit as "dailyLimit", updated_at as "updatedAt"`;

export type StoredProvider = ProviderRecord & { readonly revision: number };

export async function findProvider(db: Queryable, workspaceId: string): Promise<StoredProvider | null> {
  return firstRow(
    db,
    sql<StoredProvider>`select ${columns} from enrichment_providers where workspace_id = ${workspaceId}`,
  );
}

/** The same, locked until the end of the transaction, so that values kept from it are the current ones. */
export async function lockProvider(
  client: pg.PoolClient,
  workspaceId: string,
): Promise<StoredProvider | null> {
  return firstRow(
    client,
    sql<StoredProvider>`
      select ${columns} from enrichment_providers where workspace_id = ${workspaceId} for update`,
  );
}

/** The providers of several workspaces; workspaces without one are left out. */
export async function listProviders(
  db: Queryable,
  workspaceIds: readonly string[],
): Promise<StoredProvider[]> {
  return rowsOf(
    db,
    sql<StoredProvider>`
      select ${columns} from enrichment_providers where workspace_id = any (${workspaceIds}::uuid[])`,
  );
}

export async function storeProvider(client: pg.PoolClient, provider: ProviderRecord): Promise<void> {
  const { workspaceId, url, send, headerName, headerCiphertext, signingCiphertext } = provider;
  const mapping = JSON.stringify(provider.mapping);
  await run(
    client,
    sql`
      insert into enrichment_providers (workspace_id, url, send, header_name, header_ciphertext, signing_ciphertext,
        mapping, daily_limit, updated_at, revision)
      values (${workspaceId}, ${url}, ${send}, ${headerName}, ${headerCiphertext}, ${signingCiphertext},
        ${mapping}, ${provider.dailyLimit}, ${provider.updatedAt}, nextval('enrichment_provider_revision'))
      on conflict (workspace_id) do update set url = excluded.url, send = excluded.send,
        header_name = excluded.header_name, header_ciphertext = excluded.header_ciphertext,
        signing_ciphertext = excluded.signing_ciphertext, mapping = excluded.mapping,
        daily_limit = excluded.daily_limit, updated_at = excluded.updated_at, revision = excluded.revision`,
  );
}

/** Does not change the revision, because earlier answers stay valid. */
export async function updateDailyLimit(
  client: pg.PoolClient,
  { workspaceId, dailyLimit, updatedAt }: Pick<ProviderRecord, 'workspaceId' | 'dailyLimit' | 'updatedAt'>,
): Promise<void> {
  await run(
    client,
    sql`
      update enrichment_providers set daily_limit = ${dailyLimit}, updated_at = ${updatedAt}
      where workspace_id = ${workspaceId}`,
  );
}

export async function deleteProvider(client: pg.PoolClient, workspaceId: string): Promise<void> {
  await run(client, sql`delete from enrichment_providers where workspace_id = ${workspaceId}`);
}
