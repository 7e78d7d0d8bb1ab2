import { type ChildProcess, spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';

export const relayFile = join(import.meta.dirname, '../../clients/relay/relay.mjs');

/** The relay as its users run it. */
export interface RelayProcess {
  readonly child: ChildProcess;
  readonly url: string;
  stop(): Promise<void>;
}

export async function startRelay(env: Record<string, string>): Promise<RelayProcess> {
  const child = spawn(process.execPath, [relayFile], {
    env: { PATH: process.env.PATH ?? '', PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [line] = await once(child.stdout as NodeJS.EventEmitter, 'data');
  const url = /http:\S+/.exec(String(line))?.[0] ?? '';
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exit = once(child, 'exit');
    child.kill();
    await exit;
  };
  return { child, url, stop };
}

/** Sends these packets, ends the connection and returns what the relay sends until it closes. */
export function speak(url: string, packets: readonly Buffer[]): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    let received = '';
    const socket = connect(Number(port), hostname, async () => {
      for (const packet of packets) {
        if (socket.writable) socket.write(packet);
        await nextTurn();
      }
      socket.end();
    }).setNoDelay();
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
    });
    socket.on('error', () => {}).on('close', () => resolve(received));
  });
}

export function typeformInit(body: string | Buffer, secret: string): RequestInit {
  const signature = `sha256=${createHmac('sha256', secret).update(body).digest('base64')}`;
  const headers = { 'content-type': 'application/json', 'typeform-signature': signature };
  return { method: 'POST', headers, body };
}

export function webflowInit(body: string | Buffer, secret: string, at = Date.now()): RequestInit {
  const signature = createHmac('sha256', secret).update(`${at}:`).update(body).digest('hex');
  const headers = { 'x-webflow-timestamp': String(at), 'x-webflow-signature': signature };
  return { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body };
}
