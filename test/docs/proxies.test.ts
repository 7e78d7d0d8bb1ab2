import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eventually } from '../support/diagnostics.ts';
import { scratchFolder } from '../support/scratch.ts';

const docs = join(import.meta.dirname, '../../docs');
const isInstalled = spawnSync('nginx', ['-v']).status === 0;

/** The configurations of nginx in the documentation, with a path that each passes on. */
const blocks = [
  { page: 'install.md', sent: '/api/v1/ingest', received: '/api/v1/ingest' },
  { page: 'browser.md', sent: '/leads/api/v1/browser/tokens', received: '/api/v1/browser/tokens' },
];

function blockOf(page: string): string {
  return /```nginx\n([\s\S]+?)```/.exec(readFileSync(join(docs, page), 'utf8'))?.[1] as string;
}

test.each(blocks)('the proxy of $page is told to keep its connections to the service', ({ page }) => {
  const block = blockOf(page);
  const upstream = /upstream (\w+) \{[^}]*\bkeepalive \d+;/.exec(block)?.[1];
  expect(block).toMatch(new RegExp(`proxy_pass https?://${upstream};`));
  expect(block).toContain('proxy_http_version 1.1;');
  expect(block).toContain('proxy_set_header Connection "";');
});

test.each(isInstalled ? blocks : [])(
  'nginx with the lines of $page sends many requests over one connection, with exact bytes',
  async ({ page, sent, received }) => {
    const connections = new Set<Socket>();
    const service = createServer(async (incoming, response) => {
      connections.add(incoming.socket);
      response.end(`${incoming.url} ${(await incoming.toArray()).join('')}`);
    }).listen(0, '127.0.0.1');
    await once(service, 'listening');
    const folder = scratchFolder('nginx');
    const socket = join(folder, 'listen');
    writeFileSync(
      join(folder, 'nginx.conf'),
      configOf(page, folder, (service.address() as AddressInfo).port),
    );
    const nginx = spawn('nginx', ['-p', folder, '-e', join(folder, 'log'), '-c', join(folder, 'nginx.conf')]);
    const exit = once(nginx, 'exit');
    try {
      await eventually(async () => existsSync(socket) || nginx.exitCode !== null, Boolean);
      for (let number = 0; number < 10; number++) {
        const body = `{"n": ${number},  "é":1}`;
        expect(await send(socket, sent, body)).toBe(`${received} ${body}`);
      }
      expect(connections.size).toBe(1);
    } finally {
      nginx.kill();
      await exit;
      service.close();
    }
  },
);

/** The lines of the page on a socket in front of this port, without TLS. */
function configOf(page: string, folder: string, port: number): string {
  const block = blockOf(page)
    .replace(/server \S+:\d+;/, `server 127.0.0.1:${port};`)
    .replace('https://', 'http://')
    .replace(/ +listen .*\n/, '')
    .replace(/^server \{/m, `server {\n  listen unix:${join(folder, 'listen')};`);
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${name};`,
  );
  return `daemon off; master_process off; pid pid; events {}\nhttp { access_log off; ${paths.join(' ')}\n${block}}\n`;
}

async function send(socketPath: string, path: string, body: string): Promise<string> {
  const sending = request({ socketPath, path, method: 'POST', agent: false }).end(body);
  const [response] = await once(sending, 'response');
  return (await response.setEncoding('utf8').toArray()).join('');
}
