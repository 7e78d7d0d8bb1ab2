import { lookAtConfig } from '../../config.ts';
import { ConfigError } from '../../config-error.ts';
import { checkDatabase } from './database.ts';
import { checkDisk } from './disk.ts';
import { type Finding, fault, ok } from './finding.ts';
import { checkPort } from './port.ts';

export async function examine(): Promise<Finding[]> {
  try {
    const config = lookAtConfig();
    return [
      ok('configuration', 'All variables are valid.'),
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
