import type { Command } from 'commander';
import { ConfigError } from '../../config.ts';
import { newCommand, outputOf } from '../command.ts';
import { lookAtConfig } from '../database.ts';
import { checkDatabase } from '../doctor/database.ts';
import { checkDisk } from '../doctor/disk.ts';
import { type Finding, fault, ok } from '../doctor/finding.ts';
import { checkPort } from '../doctor/port.ts';
import { CliError } from '../exit.ts';
import { printable, styled } from '../output.ts';

const signs = { ok: '✓', warning: '!', fault: '✗' } as const;
const colours = { ok: 'green', warning: 'yellow', fault: 'red' } as const;

export const doctorCommand = () =>
  newCommand('doctor', 'Check the configuration, the disk, the database, the keys and the port.', [
    'doctor',
    `doctor --json | jq '.[] | select(.status != "ok")'`,
  ]).action(async (_options: object, command: Command) => {
    const out = outputOf(command);
    const findings = await examine();
    out.result(findings, findings.map(findingText).join('\n'));
    const faults = findings.filter(({ status }) => status === 'fault').length;
    if (faults > 0)
      throw new CliError('failure', faults === 1 ? 'There is 1 fault.' : `There are ${faults} faults.`);
  });

async function examine(): Promise<Finding[]> {
  try {
    const config = lookAtConfig();
    return [
      ok('configuration', 'All variables can be read.'),
      ...checkDisk(config),
      ...(await checkDatabase(config)),
      await checkPort(config),
    ];
  } catch (error) {
    // Without a configuration there is nothing else to examine.
    if (!(error instanceof ConfigError)) throw error;
    return [
      fault('configuration', error.message, 'Correct these; docs/configuration.md lists all variables.'),
    ];
  }
}

function findingText({ check, status, text, fix }: Finding): string {
  const shown = printable(text.replaceAll('\n', ' '));
  const first = `${styled(colours[status], `${signs[status]} ${check}`)}  ${shown}`;
  return fix === null ? first : `${first}\n    ${styled('bold', 'mend:')} ${fix}`;
}
