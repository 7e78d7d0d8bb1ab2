import { hash } from 'node:crypto';
import { callApi, type SeededWorkspace } from '../seed.ts';

const origin = 'https://www.example.com';

/** A form that pages can send to. */
export interface Page {
  readonly port: number;
  readonly key: string;
}

export interface Puzzle {
  readonly challenge: string;
  readonly nonce: string;
  readonly salt: string;
  readonly cost: number;
  readonly bits: number;
}

export async function openPage(
  port: number,
  { workspaceId, formId }: Pick<SeededWorkspace, 'workspaceId' | 'formId'>,
  protection: 'work' | 'none',
): Promise<Page> {
  const settings = { enabled: true, origins: [origin], protection };
  const path = `/workspaces/${workspaceId}/forms/${formId}/browser`;
  const { public_key: key } = await callApi(port, 'PUT', path, settings);
  return { port, key: key as string };
}

/** As many networks as there are numbers. The service trusts one proxy. */
export function networkOf(number: number): string {
  return `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`;
}

export async function askForChallenge({ port, key }: Page, body: string, network: string): Promise<Puzzle> {
  return post(port, 'challenges', { key, body_hash: hash('sha256', body) }, network);
}

export async function askForToken(
  { port }: Page,
  { challenge }: Puzzle,
  solution: string,
  network: string,
): Promise<string> {
  const { token } = await post<{ token: string }>(port, 'tokens', { challenge, solution }, network);
  return token;
}

export async function sendLead({ port }: Page, token: string, body: string): Promise<number> {
  const response = await fetch(`http://127.0.0.1:${port}/api/v1/browser/submissions`, {
    method: 'POST',
    headers: { origin, authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body,
  });
  await response.arrayBuffer();
  return response.status;
}

/** The bytes of a request for a token. */
export function tokenRequest({ challenge }: Puzzle, solution: string, network: string): string {
  const body = JSON.stringify({ challenge, solution });
  const head = `POST /api/v1/browser/tokens HTTP/1.1\r\nHost: x\r\nOrigin: ${origin}\r\nX-Forwarded-For: ${network}`;
  return `${head}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}

async function post<Answer>(port: number, path: string, body: object, network: string): Promise<Answer> {
  const response = await fetch(`http://127.0.0.1:${port}/api/v1/browser/${path}`, {
    method: 'POST',
    headers: { origin, 'content-type': 'application/json', 'x-forwarded-for': network },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (response.status !== 201) throw new Error(`${path} answered ${response.status}: ${text}`);
  return JSON.parse(text) as Answer;
}
