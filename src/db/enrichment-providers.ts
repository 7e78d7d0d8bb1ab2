import type pg from 'pg';
import type { Queryable } from './pool.ts';

/** An owner's own provider, with its secrets sealed. */
export interface ProviderRecord {
  readonly workspaceId: string;
  readonly url: string;
  readonly send: 'domain' | 'email';
  readonly headerName: string | null;
  readonly headerCiphertext: Buffer | null;
  readonly signingCiphertext: Buffer;
  readonly mapping: Record<string, string>;
  readonly updatedAt: Date;
}

const columns = `workspace_id as "workspaceId", url, send, header_name as "headerName",
  header_ciphertext as "headerCiphertext", signing_ciphertext as "signingCiphertext", mapping, revision,
  updated_at as "updatedAt"`;

export type StoredProvider = ProviderRecord & { readonly revision: number };

export async function findProvider(db: Queryable, workspaceId: string): Promise<StoredProvider | null> {
  const { rows } = await db.query(`select ${columns} from enrichment_providers where workspace_id = $1`, [
    workspaceId,
  ]);
  return rows[0] ?? null;
}

/** Those of several workspaces at once; a workspace without one is not among them. */
export async function listProviders(
  db: Queryable,
  workspaceIds: readonly string[],
): Promise<StoredProvider[]> {
  const { rows } = await db.query(
    `select ${columns} from enrichment_providers where workspace_id = any ($1::uuid[])`,
    [workspaceIds],
  );
  return rows;
}

export async function storeProvider(client: pg.PoolClient, provider: ProviderRecord): Promise<void> {
  const { workspaceId, url, send, headerName, headerCiphertext, signingCiphertext, mapping, updatedAt } =
    provider;
  await client.query(
    `insert into enrichment_providers (workspace_id, url, send, header_name, header_ciphertext, signing_ciphertext,
       mapping, updated_at, revision)
     values ($1, $2, $3, $4, $5, $6, $7, $8, nextval('enrichment_provider_revision'))
     on conflict (workspace_id) do update set url = excluded.url, send = excluded.send,
       header_name = excluded.header_name, header_ciphertext = excluded.header_ciphertext,
       signing_ciphertext = excluded.signing_ciphertext, mapping = excluded.mapping,
       updated_at = excluded.updated_at, revision = excluded.revision`,
    [
      workspaceId,
      url,
      send,
      headerName,
      headerCiphertext,
      signingCiphertext,
      JSON.stringify(mapping),
      updatedAt,
    ],
  );
}

export async function deleteProvider(client: pg.PoolClient, workspaceId: string): Promise<void> {
  await client.query('delete from enrichment_providers where workspace_id = $1', [workspaceId]);
}
