import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { mintToken } from '../src/domain/token.ts';

export const operatorKey = randomBytes(32).toString('hex');
const callsAtOnce = 8;

/** Creates workspaces with one form and one token each through the management API, as an operator would. */
export async function seedService(port: number, count: number, name = 'bench'): Promise<SeededWorkspace[]> {
  const workspaces: SeededWorkspace[] = [];
  let next = 0;
  const seedOne = async () => {
    while (next < count) {
      const number = next++;
      workspaces[number] = await seedWorkspace(port, `${name}-${number}`);
    }
  };
  await Promise.all(Array.from({ length: callsAtOnce }, seedOne));
  return workspaces;
}

/** A workspace with one form and one token. */
export interface SeededWorkspace {
  readonly workspaceId: string;
  readonly formId: string;
  readonly slug: string;
  readonly token: string;
}

export async function seedWorkspace(port: number, name: string): Promise<SeededWorkspace> {
  const workspace = await callApi(port, 'POST', '/workspaces', { name });
  const at = `/workspaces/${workspace.id}`;
  const form = await callApi(port, 'POST', `${at}/forms`, { name: 'Contact', slug: name });
  const token = await callApi(port, 'POST', `${at}/tokens`, { name: 'Backend', form_id: form.id });
  return { workspaceId: workspace.id, formId: form.id, slug: name, token: token.token } as SeededWorkspace;
}

/** Calls the management API as the operator. Throws for anything but a 2xx. */
export async function callApi(
  port: number,
  method: string,
  path: string,
  body: object,
): Promise<Record<string, unknown>> {
  const response = await fetch(`http://127.0.0.1:${port}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${operatorKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
  return text === '' ? {} : JSON.parse(text);
}

/** The textbook implementation has no management API, so its tables are filled directly. */
export async function seedTextbook(url: string, count: number): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(await readFile(join(import.meta.dirname, 'targets/textbook.sql'), 'utf8'));
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
