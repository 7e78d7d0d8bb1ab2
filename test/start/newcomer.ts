import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { Browser, goodPassword } from '../support/browser/browser.ts';
import { callApi } from '../support/service.ts';
import type { ServiceHere } from '../support/service-here.ts';

/* What people do with the output of a first start. */

export const tokenCommand = (text: string) => shell(pasted(text, /^curl .*\/ingest \\$/, /-d /));
export const signedCommand = (text: string) => shell(pasted(text, /^body=/, /-d /));
export const stored = /^\{"submission_id":"[0-9a-f-]{36}"\}$/;

/** The lines to paste, from one line to another. */
function pasted(text: string, from: RegExp, to: RegExp): string {
  const lines = text.split('\n');
  const first = lines.findIndex((line) => from.test(line));
  const last = lines.findIndex((line, index) => index >= first && to.test(line));
  return lines.slice(first, last + 1).join('\n');
}

async function shell(script: string): Promise<string> {
  const { stdout } = await promisify(execFile)('sh', ['-c', script]);
  return stdout;
}

export async function setUp({ url }: ServiceHere, text: string): Promise<Browser> {
  const token = /\/setup#token=(\S+)$/m.exec(text)?.[1];
  const browser = new Browser(url);
  const person = { name: 'Ada', email: 'ada@example.com', password: goodPassword };
  const made = await browser.api('POST', '/setup', { token, ...person, workspace_name: 'Engines' });
  expect(made.status).toBe(201);
  return browser;
}

/** The status of accepting an invitation that was created with the operator key. */
export async function acceptInvitation(service: ServiceHere): Promise<number> {
  const call = (method: string, path: string, body?: unknown) => callApi(service.url, method, path, body);
  const [{ id }] = (await call('GET', '/workspaces')).json.items;
  const { json } = await call('POST', `/workspaces/${id}/invitations`, {
    email: 'ida@example.com',
    role: 'owner',
  });
  const token = json.link.split('#token=')[1];
  const person = { token, name: 'Ida', password: goodPassword };
  return (await new Browser(service.url).api('POST', '/invitations/accept', person)).status;
}
