import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import pg from 'pg';

/**
 * What a competent team would write first: one transaction per request, and the database decides everything. Under the load
 * of the benchmark it gives the same guarantees (durability, rate limits, idempotency), but it does not score.
 */
const connectionsMax = 20;
const minuteLimit = 1000;
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: connectionsMax });

const findToken = `
  select w.id as workspace_id, f.id as form_id
  from tokens t join forms f on f.id = t.form_id join workspaces w on w.id = f.workspace_id
  where t.hash = $1 and t.revoked_at is null and f.active and w.status = 'active'`;

const findKey = `
  select submission_id from idempotency_keys
  where workspace_id = $1 and key = $2 and created_at > now() - interval '24 hours'`;

// The condition replaces a key older than a day, and waits for a concurrent transaction with a newer one.
const claimKey = `
  insert into idempotency_keys as k (workspace_id, key, submission_id) values ($1, $2, $3)
  on conflict (workspace_id, key) do update set submission_id = excluded.submission_id, created_at = now()
  where k.created_at <= now() - interval '24 hours'`;

const countRequest = `
  insert into rate_counters as c (workspace_id, surface, window_started_at, used) values ($1, 'server', now(), 1)
  on conflict (workspace_id, surface) do update set
    used = case when c.window_started_at > now() - interval '1 minute' then c.used + 1 else 1 end,
    window_started_at = case
      when c.window_started_at > now() - interval '1 minute' then c.window_started_at else now() end
  returning used`;

const insertLead = `
  insert into leads (submission_id, workspace_id, form_id, body, fields) values ($1, $2, $3, $4, $5)`;

interface Submission {
  readonly token: string;
  readonly key: string | undefined;
  readonly body: Buffer;
}

/** `submissionId` is null for a rejection; `commit` is false when there is nothing to store. */
interface Outcome {
  readonly submissionId: string | null;
  readonly commit: boolean;
}
const rejected: Outcome = { submissionId: null, commit: false };

async function ingest(client: pg.PoolClient, { token, key, body }: Submission): Promise<Outcome> {
  const hash = createHash('sha256').update(token).digest();
  const owner = (await client.query({ name: 'find-token', text: findToken, values: [hash] })).rows[0];
  if (owner === undefined) return rejected;
  const { workspace_id: workspaceId, form_id: formId } = owner;
  if (key !== undefined) {
    const known = await keyOwner(client, workspaceId, key);
    if (known !== null) return { submissionId: known, commit: false };
  }
  const counted = await client.query({ name: 'count-request', text: countRequest, values: [workspaceId] });
  if (counted.rows[0].used > minuteLimit) return rejected;
  const submissionId = randomUUID();
  if (key !== undefined) {
    const claim = { name: 'claim-key', text: claimKey, values: [workspaceId, key, submissionId] };
    const { rowCount } = await client.query(claim);
    if (rowCount === 0) return { submissionId: await keyOwner(client, workspaceId, key), commit: false };
  }
  const values = [submissionId, workspaceId, formId, body, body.toString('utf8')];
  await client.query({ name: 'insert-lead', text: insertLead, values });
  return { submissionId, commit: true };
}

async function keyOwner(client: pg.PoolClient, workspaceId: string, key: string): Promise<string | null> {
  const { rows } = await client.query({ name: 'find-key', text: findKey, values: [workspaceId, key] });
  return rows[0]?.submission_id ?? null;
}

async function inTransaction(work: (client: pg.PoolClient) => Promise<Outcome>): Promise<Outcome> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    const outcome = await work(client);
    await client.query(outcome.commit ? 'commit' : 'rollback');
    return outcome;
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
  }
}

async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const token = request.headers.authorization?.slice('Bearer '.length) ?? '';
  const key = request.headers['x-svc-idempotency-key'] as string | undefined;
  const body = await readBody(request);
  const { submissionId } = await inTransaction((client) => ingest(client, { token, key, body }));
  const answer = JSON.stringify(
    submissionId === null ? { status: 'rejected' } : { submission_id: submissionId },
  );
  response.writeHead(submissionId === null ? 200 : 202, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(answer),
  });
  response.end(answer);
}

function readBody(request: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => resolve(Buffer.concat(chunks)));
    request.on('error', reject);
  });
}

const server = createServer((request, response) => {
  if (request.method === 'GET') return void response.end();
  handle(request, response).catch((error: Error) => {
    process.stderr.write(`textbook: ${error.message}\n`);
    response.writeHead(500).end();
  });
});
server.listen(Number(process.env.PORT), '127.0.0.1');
process.on('SIGTERM', () => process.exit(0));
