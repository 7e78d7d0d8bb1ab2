import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { buildPages } from '../../bench/pages.ts';
import { freePort } from '../../bench/port.ts';
import { undoLater } from '../../bench/undo.ts';
import { sign } from '../../src/domain/signature.ts';
import type { Sender } from '../load/order.ts';
import { Instance } from './instance.ts';
import { createSender } from './sender.ts';
import { ourSources } from './world.ts';

const readyMsMax = 60_000;
const resultsDir = join(import.meta.dirname, '../results');

interface TargetOptions {
  readonly sourceDir?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** One service as users run it, with its embedded database. */
export async function startTarget({
  sourceDir = ourSources,
  env = {},
}: TargetOptions = {}): Promise<Instance> {
  await buildPages();
  const dir = await scratchDir();
  const instance = new Instance({ name: 'target', port: await freePort(), sourceDir, dir, env });
  instance.start();
  if (!(await instance.untilReady(readyMsMax))) throw new Error('The service did not start');
  return instance;
}

/** Removed at the end. */
export async function scratchDir(): Promise<string> {
  await mkdir(resultsDir, { recursive: true });
  const dir = await mkdtemp(join(resultsDir, 'target-'));
  undoLater(() => rm(dir, { recursive: true, force: true }));
  return dir;
}

export function createStranger(port: number): Promise<Sender> {
  return createSender(port, `stranger-${randomUUID()}`);
}

export const smallLead = JSON.stringify({ name: 'Ada Lovelace', email: 'ada@analytical.engine' });

export function bearerHead(token: string): string {
  return `POST /api/v1/ingest HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\n`;
}

export function bearerRequest(token: string, body = smallLead): string {
  return `${bearerHead(token)}Content-Length: ${body.length}\r\n\r\n${body}`;
}

/** One character per byte, as in the request. */
export function signedRequest(slug: string, secret: string, body = smallLead): string {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const signature = sign(secret, timestamp, Buffer.from(body, 'latin1')).toString('hex');
  const head = `POST /api/v1/ingest/${slug} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nX-SVC-Timestamp: ${timestamp}\r\nX-SVC-Signature: ${signature}`;
  return `${head}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}

export function residentBytes({ pid }: Instance): number {
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) * 1024;
}
