import { createServer } from 'node:net';
import { type Config, hostInUrl } from '../../config.ts';
import { type Finding, fault, ok } from './finding.ts';

const timeoutMs = 5_000;

/** The port must be free, or in use by the service with this configuration. */
export async function checkPort(config: Config): Promise<Finding> {
  const { host, port } = config;
  const code = await bindFault(host, port);
  if (code === null) return ok('port', `${port} on ${host} is free.`);
  if (code === 'EADDRNOTAVAIL')
    return fault(
      'port',
      `This machine does not have the address ${host}.`,
      'Set HOST to 127.0.0.1 or 0.0.0.0.',
    );
  if (code === 'EACCES')
    return fault('port', `This user is not allowed to listen on ${port}.`, 'Set PORT to 1024 or above.');
  if (code !== 'EADDRINUSE')
    return fault('port', `Listening on ${host}:${port} fails (${code}).`, 'Check HOST and PORT.');
  if (await isOurs(config)) return ok('port', `${port} on ${host} is in use by this Leadgate.`);
  return fault(
    'port',
    `${port} on ${host} is in use by something else, or by a Leadgate with another operator key.`,
    'Set PORT to another port, or stop the program that uses it.',
  );
}

function bindFault(host: string, port: number): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code ?? 'unknown'));
    server.listen(port, host, () => server.close(() => resolve(null)));
  });
}

/** Only the service with this configuration accepts its operator key. */
async function isOurs({ host, port, operatorKey }: Config): Promise<boolean> {
  const url = `http://${hostInUrl(host)}:${port}`;
  const ask = (path: string, headers: Record<string, string>) =>
    fetch(url + path, { headers, redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) });
  try {
    // Another program must not get the key, so check first that it looks like Leadgate.
    const described = (await (await ask('/api/openapi.json', {})).json()) as { info?: { title?: string } };
    if (!/leadgate/i.test(described.info?.title ?? '')) return false;
    const health = await ask('/api/v1/operator/health', { Authorization: `Bearer ${operatorKey}` });
    return health.ok;
  } catch {
    return false;
  }
}
