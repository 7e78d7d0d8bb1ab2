import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

type Run = (cwd: string, program: string, ...words: string[]) => string;

const packages = ['openapi-typescript@7.13.0', 'openapi-fetch@0.17.0', 'typescript@5.9.3'];
const strictly = ['--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess', '--skipLibCheck'];

/** Uses the API as someone does who has nothing but its address, and says what it got. */
const program = `
import createClient from 'openapi-fetch';
import type { paths } from './openapi.js';

declare const process: { readonly argv: readonly [string, string, string, string] };
declare const console: { log(text: string): void };

const [, , baseUrl, key] = process.argv;
const api = createClient<paths>({ baseUrl, headers: { Authorization: \`Bearer \${key}\` } });

function got<Data>({ data, error }: { data?: Data; error?: unknown }): Data {
  if (data === undefined) throw new Error(JSON.stringify(error));
  return data;
}

const [workspace] = got(await api.GET('/api/v1/workspaces')).items;
if (workspace === undefined) throw new Error('There is no workspace.');
const path = { workspace_id: workspace.id };
const form = got(
  await api.POST('/api/v1/workspaces/{workspace_id}/forms', {
    params: { path },
    body: { name: 'Generated', slug: 'generated' },
  }),
);
const { token } = got(
  await api.POST('/api/v1/workspaces/{workspace_id}/tokens', {
    params: { path },
    body: { name: 'Generated', form_id: form.id },
  }),
);
const destination = got(
  await api.POST('/api/v1/workspaces/{workspace_id}/destinations', {
    params: { path },
    body: { kind: 'webhook', name: 'Generated', url: 'https://receiver.example.com/leads', form_ids: [form.id] },
  }),
);
// A body without a required member may be left out.
const ofForm = { params: { path: { ...path, form_id: form.id } } };
got(await api.PUT('/api/v1/workspaces/{workspace_id}/forms/{form_id}/webhook-secret', ofForm));
const sent = await api.POST('/api/v1/ingest', {
  headers: { Authorization: \`Bearer \${token}\` },
  body: { email: 'generated@example.com' },
});
const leads = got(
  await api.GET('/api/v1/workspaces/{workspace_id}/leads', { params: { path, query: { form_id: form.id } } }),
);
// What a response always has needs no question mark.
const found: string[] = leads.items.map(({ submission_id, fields }) => \`\${submission_id} \${String(fields['email'])}\`);
console.log(JSON.stringify({ sent: sent.response.status, slug: form.slug, events: destination.events, found }));
`;

/** Generates a client from the document of a running service, compiles a program with it and runs that. */
export function runGeneratedClient(run: Run, url: string, key: string): string {
  // Not below the folder of the package, whose modules it must not find.
  const folder = mkdtempSync(join(tmpdir(), 'leadgate-client-'));
  try {
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    writeFileSync(join(folder, 'program.ts'), program);
    run(folder, 'npm', 'install', '--no-audit', '--no-fund', ...packages);
    run(folder, 'npx', 'openapi-typescript', `${url}/api/openapi.json`, '-o', 'openapi.d.ts');
    run(folder, 'npx', 'tsc', ...strictly, '--module', 'nodenext', '--target', 'es2022', 'program.ts');
    return run(folder, 'node', 'program.js', url, key);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
