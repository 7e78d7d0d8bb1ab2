import { createServer } from 'node:net';
import { type Config, hostInUrl } from '../../config.ts';
import { type Finding, fault, ok } from './finding.ts';

const timeoutMs = 5_000;

/** The port is free for a start, or taken by the very service that this configuration describes. */
export async function checkPort(config: Config): Promise<Finding> {
  const { host, port } = config;
  const code = await bindFault(host, port);
  if (code === null) return ok('port', `${port} on ${host} is free.`);
  if (code === 'EADDRNOTAVAIL')
    return fault('port', `This machine has no address ${host}.`, 'Set HOST to 127.0.0.1 or 0.0.0.0.');
  if (code === 'EACCES')
    return fault('port', `This user may not listen on ${port}.`, 'Set PORT to 1024 or above.');
  if (code !== 'EADDRINUSE')
    return fault('port', `Listening on ${host}:${port} fails (${code}).`, 'Check HOST and PORT.');
  if (await isOurs(config)) return ok('port', `${port} on ${host} is in use by this Leadgate.`);
  return fault(
    'port',
    `${port} on ${host} is in use by something else, or by a Leadgate with another operator key.`,
    'Set PORT to another one, or stop what uses it.',
  );
}

function bindFault(host: string, port: number): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code ?? 'unknown'));
    server.listen(port, host, () => server.close(() => resolve(null)));
  });
}

/** Only the service of this configuration takes its operator key. */
async function isOurs({ host, port, operatorKey }: Config): Promise<boolean> {
  const url = `http://${hostInUrl(host)}:${port}`;
  const ask = (path: string, headers: Record<string, string>) =>
    fetch(url + path, { headers, redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) });
  try {
    // Some other program should not get the key, so what listens has to look like Leadgate first.
    const described = (await (await ask('/api/openapi.json', {})).json()) as { info?: { title?: string } };
    if (!/leadgate/i.test(described.info?.title ?? '')) return false;
    const health = await ask('/api/v1/operator/health', { Authorization: `Bearer ${operatorKey}` });
    return health.ok;
  } catch {
    return false;
  }
}
