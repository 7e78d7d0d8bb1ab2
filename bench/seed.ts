import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { mintToken } from '../src/domain/token.ts';

export const operatorKey = randomBytes(32).toString('hex');
const callsAtOnce = 8;

/** Workspaces with one form and one token each, made through the management API as an operator would. */
export async function seedService(port: number, count: number): Promise<string[]> {
  const tokens: string[] = [];
  let next = 0;
  const seedOne = async () => {
    while (next < count) {
      const number = next++;
      tokens[number] = await seedWorkspace(port, number);
    }
  };
  await Promise.all(Array.from({ length: callsAtOnce }, seedOne));
  return tokens;
}

async function seedWorkspace(port: number, number: number): Promise<string> {
  const workspace = await post(port, '/workspaces', { name: `Bench ${number}` });
  const form = await post(port, `/workspaces/${workspace.id}/forms`, {
    name: 'Contact',
    slug: `bench-${number}`,
  });
  const token = await post(port, `/workspaces/${workspace.id}/tokens`, {
    name: 'bench',
    form_id: form.id,
  });
  return token.token as string;
}

async function post(port: number, path: string, body: object): Promise<Record<string, unknown>> {
  const response = await fetch(`http://127.0.0.1:${port}/api/v1${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${operatorKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (response.status !== 201) throw new Error(`POST ${path} answered ${response.status}: ${text}`);
  return JSON.parse(text);
}

/** The textbook has no management API; its tables are filled directly. */
export async function seedTextbook(url: string, count: number): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(await readFile(join(import.meta.dirname, 'textbook.sql'), 'utf8'));
  const tokens = Array.from({ length: count }, () => mintToken('server'));
  for (const token of tokens) {
    const [workspaceId, formId] = [randomUUID(), randomUUID()];
    await client.query('insert into workspaces (id) values ($1)', [workspaceId]);
    await client.query('insert into forms (id, workspace_id) values ($1, $2)', [formId, workspaceId]);
    const hash = createHash('sha256').update(token).digest();
    await client.query('insert into tokens (hash, form_id) values ($1, $2)', [hash, formId]);
  }
  await client.query('analyze');
  await client.end();
  return tokens;
}
