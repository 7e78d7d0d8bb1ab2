import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { leadBody } from '../load/lead.ts';

/** A lead that was accepted, and when it was sent. */
export interface Sent {
  readonly submissionId: string;
  readonly sentAt: number;
}

export interface Sending {
  readonly port: number;
  readonly tokens: readonly string[];
  readonly perSecond: number;
  readonly seconds: number;
}

const agent = new Agent({ keepAlive: true });
let number = 0;

/** Sends leads at a fixed rate, to one workspace after the other. Throws if one is not accepted. */
export async function sendLeads({ port, tokens, perSecond, seconds }: Sending): Promise<Sent[]> {
  const startedAt = performance.now();
  const sent: Promise<Sent>[] = [];
  for (let i = 0; i < perSecond * seconds; i++) {
    const waitMs = startedAt + (i * 1_000) / perSecond - performance.now();
    if (waitMs > 1) await sleep(waitMs);
    sent.push(sendLead(port, tokens[i % tokens.length] as string));
  }
  return Promise.all(sent);
}

export function sendLead(port: number, token: string): Promise<Sent> {
  const body = leadBody(number++);
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    'content-length': String(body.length),
  };
  const options = { host: '127.0.0.1', port, path: '/api/v1/ingest', method: 'POST', headers, agent };
  const sentAt = Date.now();
  return new Promise((resolve, reject) => {
    const outgoing = request(options, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('error', reject);
      response.on('end', () => {
        if (response.statusCode === 202) resolve({ submissionId: JSON.parse(text).submission_id, sentAt });
        else reject(new Error(`A lead got ${response.statusCode}: ${text}`));
      });
    });
    outgoing.on('error', reject).end(body);
  });
}
