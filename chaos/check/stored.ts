import pg from 'pg';
import type { Surface } from '../../src/domain/surface.ts';

/** A lead as stored in PostgreSQL. */
export interface StoredLead {
  readonly submissionId: string;
  readonly workspaceId: string;
  readonly surface: Surface;
  readonly bodySha256: string;
  readonly receivedAt: number;
}

/** Read from PostgreSQL directly, not through the service that is being tested. */
export async function readStored(databaseUrl: string): Promise<StoredLead[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<string[]>({
      text: `select submission_id, workspace_id, surface, encode(sha256(body), 'hex'),
               extract(epoch from received_at) * 1000
             from leads`,
      rowMode: 'array',
    });
    return rows.map(([submissionId, workspaceId, surface, bodySha256, receivedAt]) => ({
      submissionId: submissionId as string,
      workspaceId: workspaceId as string,
      surface: surface as Surface,
      bodySha256: bodySha256 as string,
      receivedAt: Number(receivedAt),
    }));
  } finally {
    await client.end();
  }
}
