import { createServer } from 'node:net';
import { type Config, hostInUrl } from '../../config.ts';
import type { Health, HealthStatement } from '../../contract/operator/health.ts';
import { type Finding, fault, ok, warning } from './finding.ts';
import { checkWorkers, thisMachine } from './workers.ts';

const timeoutMs = 5_000;

/** The port must be free, or in use by the service with this configuration, which then says how it is. */
export async function checkPort(config: Config): Promise<Finding[]> {
  const { host, port, workers } = config;
  const code = await bindFault(host, port);
  const health = code === 'EADDRINUSE' ? await healthOfOurs(config) : null;
  const workerFindings = checkWorkers(workers, health?.workers ?? null, thisMachine());
  if (health === null) return [checkBinding(config, code), ...workerFindings];
  const statements = health.statements ?? [];
  return [
    ok('port', `${port} on ${host} is in use by this Leadgate.`),
    ...workerFindings,
    ...statements.map(findingOf),
  ];
}

/** A service of an earlier version has no statements. */
function findingOf({ id, state, text, advice }: HealthStatement): Finding {
  const check = `service ${id.replaceAll('_', ' ')}`;
  if (state === 'ok') return ok(check, text);
  return (state === 'warning' ? warning : fault)(check, text, advice ?? '');
}

function checkBinding({ host, port }: Config, code: string | null): Finding {
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
async function healthOfOurs({ host, port, operatorKey }: Config): Promise<Partial<Health> | null> {
  const url = `http://${hostInUrl(host)}:${port}`;
  const ask = (path: string, headers: Record<string, string>) =>
    fetch(url + path, { headers, redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) });
  try {
    // Another program must not get the key, so check first that it looks like Leadgate.
    const described = (await (await ask('/api/openapi.json', {})).json()) as { info?: { title?: string } };
    if (!/leadgate/i.test(described.info?.title ?? '')) return null;
    const health = await ask('/api/v1/operator/health', { Authorization: `Bearer ${operatorKey}` });
    return health.ok ? ((await health.json()) as Partial<Health>) : null;
  } catch {
    return null;
  }
}
