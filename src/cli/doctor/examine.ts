import { type Config, lookAtConfig } from '../../config.ts';
import { ConfigError } from '../../config-error.ts';
import { lacksProxyCount } from '../../manage/calls/uncounted-proxy.ts';
import { checkDatabase } from './database.ts';
import { checkDisk } from './disk.ts';
import { type Finding, fault, ok, warning } from './finding.ts';
import { checkPort } from './port.ts';

export async function examine(): Promise<Finding[]> {
  try {
    const config = lookAtConfig();
    return [
      ok('configuration', 'All variables are valid.'),
      ...checkProxy(config),
      ...checkDisk(config),
      ...(await checkDatabase(config)),
      ...(await checkPort(config)),
    ];
  } catch (error) {
    // Without a configuration, nothing else can be checked.
    if (!(error instanceof ConfigError)) throw error;
    return [
      fault(
        'configuration',
        error.message,
        'Correct these variables; docs/configuration.md lists all of them.',
      ),
    ];
  }
}

/** The running service says by itself that requests come through one. */
function checkProxy(config: Config): Finding[] {
  if (!lacksProxyCount(config)) return [];
  return [
    warning(
      'proxy',
      'PUBLIC_URL is https, which needs a proxy, but TRUST_PROXY is 0: all people share one limit for sign-in attempts.',
      'Set TRUST_PROXY to the number of proxies that append to X-Forwarded-For, usually 1, and restart the service.',
    ),
  ];
}
