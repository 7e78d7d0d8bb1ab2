import type { Command } from 'commander';
import { lookAtConfig } from '../../config.ts';
import { newCommand, outputOf } from '../command.ts';
import { CliError } from '../exit.ts';
import type { Output } from '../output.ts';
import type { KeyReport, Rekeyed, RekeyWishes } from '../rekey/rekey.ts';
import { ProgressBar } from '../terminal/progress.ts';

const closedShown = 5;

interface Options extends Partial<RekeyWishes> {
  readonly check?: boolean;
}

export const rekeyCommand = () =>
  newCommand('rekey', 'Seal everything in the database with the current encryption key, after a rotation.', [
    'rekey',
    'rekey --check',
    'rekey --new-key',
  ])
    .option('--check', 'only count what is sealed with which key, and say whether the previous one is needed')
    .option('--new-key', 'first put a new key into DATA_DIR/encryption.key')
    .option('--force', 'do not stop for an instance that seals with another key')
    .option('--replace-root', 'give up a root of submission ids whose key is lost')
    .addHelpText(
      'after',
      '\nMay run beside the service, be interrupted and be repeated. Docs: "Rotating the encryption key" in docs/operating.md.',
    )
    .action(async (options: Options, command: Command) => {
      const out = outputOf(command);
      if (options.check && options.newKey)
        throw new CliError('usage', '--check changes nothing: leave out --new-key.');
      // Loaded now, because every other command would wait for it as well.
      const { rekey, reportKeys } = await import('../rekey/rekey.ts');
      if (options.check) {
        report(out, await reportKeys(lookAtConfig()));
        return;
      }
      const bar = new ProgressBar('Sealing');
      const wishes = {
        newKey: options.newKey === true,
        force: options.force === true,
        replaceRoot: options.replaceRoot === true,
      };
      const done = await rekey(lookAtConfig, wishes, (count, total) => bar.show(count, total)).finally(() =>
        bar.end(),
      );
      if (done === null)
        out.result(
          { restart_needed: true },
          'The new key is made. Restart the service, then run leadgate rekey.',
        );
      else conclude(out, done);
    });

function conclude(out: Output, done: Rekeyed): void {
  const { closed, remaining, retired, snapshotFault } = done;
  if (snapshotFault !== null)
    out.note(
      `The snapshot of this machine could not be replaced: ${snapshotFault}. A running service does it by itself.`,
    );
  for (const { what, row, why } of closed.slice(0, closedShown))
    out.note(`Left as it is: ${what}, ${row}. ${why}`);
  if (closed.length > closedShown) out.note(`And ${closed.length - closedShown} more.`);
  if (retired !== null)
    out.note(
      `The previous key is no longer used. It is in ${retired}: backups from before need it. Delete it with the last of them.`,
    );
  out.result(
    {
      restart_needed: false,
      key_id: done.keyId,
      resealed: done.resealed,
      remaining,
      closed: closed.map(({ what, row, why }) => ({ what, row, why })),
      previous_key_needed: done.isPreviousNeeded,
    },
    `Sealed ${done.resealed} values with key ${done.keyId}. ${nextStep(done)}`.trimEnd(),
  );
  if (closed.length > 0)
    throw new CliError(
      'failure',
      `${closed.length} values were sealed with a key that is not here. Bring that key back as ENCRYPTION_KEY_PREVIOUS, or set those secrets anew.`,
    );
}

function nextStep({ remaining, hasPreviousKey, isPreviousNeeded, retired }: Rekeyed): string {
  if (remaining > 0)
    return `${remaining} were sealed with another key meanwhile: give every instance the new key, then run leadgate rekey again.`;
  if (isPreviousNeeded) return 'Keep the previous key, and look again with leadgate rekey --check.';
  if (!hasPreviousKey || retired !== null) return '';
  return 'Nothing needs ENCRYPTION_KEY_PREVIOUS any more: take it away from every instance.';
}

function report(
  out: Output,
  { keyId, previousKeyIds, lines, snapshot, holders, isPreviousNeeded, lost }: KeyReport,
) {
  const state = (id: string | null): keyof typeof stateTexts => {
    if (id === null) return 'no_id';
    if (id === keyId) return 'current';
    return previousKeyIds.includes(id) ? 'previous' : 'unknown';
  };
  const values = lines.map((line) => ({
    what: line.what,
    key_id: line.keyId,
    state: state(line.keyId),
    count: line.count,
  }));
  if (out.isJson)
    out.result(
      {
        key_id: keyId,
        previous_key_ids: previousKeyIds,
        values,
        snapshot,
        instances: holders.map((holder) => ({ key_id: holder.keyId, address: holder.address })),
        previous_key_needed: isPreviousNeeded,
      },
      '',
    );
  else {
    out.table(
      values,
      [
        { title: 'WHAT', show: ({ what }) => what },
        { title: 'KEY', show: ({ key_id }) => key_id ?? '-' },
        { title: 'STATE', show: ({ state }) => stateTexts[state] },
        { title: 'COUNT', show: ({ count }) => String(count) },
      ],
      'Nothing is sealed yet.',
    );
    out.note(`Snapshot of this machine: ${snapshotTexts[snapshot]}.`);
    for (const holder of holders)
      out.note(
        `Instance ${holder.address ?? 'on the machine of the database'}: ${holder.keyId === null ? 'is of version 0.1.0; upgrade it first' : `seals with key ${holder.keyId}`}.`,
      );
  }
  if (lost > 0) throw new CliError('failure', `${lost} values were sealed with a key that is not here.`);
  if (isPreviousNeeded) throw new CliError('failure', 'The previous key is still needed.');
  out.note(
    previousKeyIds.length > 0
      ? 'The previous key is not needed any more.'
      : 'All is sealed with the current key, or carries no id.',
  );
}

const stateTexts = {
  current: 'current key',
  previous: 'previous key',
  unknown: 'a key that is not here',
  no_id: 'sealed by version 0.1.0, without an id',
} as const;

const snapshotTexts = {
  none: 'there is none',
  current: 'sealed with the current key',
  earlier: 'sealed with an earlier key; a running service replaces it, and so does leadgate rekey',
  closed: 'it does not open; a running service replaces it, and so does leadgate rekey',
} as const;
