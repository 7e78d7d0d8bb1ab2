import type { Command } from 'commander';
import { newCommand, outputOf } from '../command.ts';
import type { Finding } from '../doctor/finding.ts';
import { CliError } from '../exit.ts';
import { styled } from '../output.ts';
import { printable } from '../terminal/safe-text.ts';

const signs = { ok: '✓', warning: '!', fault: '✗' } as const;
const colours = { ok: 'green', warning: 'yellow', fault: 'red' } as const;

export const doctorCommand = () =>
  newCommand('doctor', 'Check the configuration, disk, database, keys, port, workers and running service.', [
    'doctor',
    `doctor --json | jq '.[] | select(.status != "ok")'`,
  ]).action(async (_options: object, command: Command) => {
    const out = outputOf(command);
    // Loaded here, so that other commands do not wait for it.
    const { examine } = await import('../doctor/examine.ts');
    const findings = await examine();
    out.result(findings, findings.map(findingText).join('\n'));
    const errors = findings.filter(({ status }) => status === 'fault').length;
    if (errors > 0)
      throw new CliError('failure', errors === 1 ? '1 error found.' : `${errors} errors found.`);
  });

function findingText({ check, status, text, fix }: Finding): string {
  const shown = printable(text.replaceAll(/:\n\s*/g, ': ').replaceAll(/\n\s*/g, '; '));
  const first = `${styled(colours[status], `${signs[status]} ${check}`)}  ${shown}`;
  return fix === null ? first : `${first}\n    ${styled('bold', 'fix:')} ${fix}`;
}
