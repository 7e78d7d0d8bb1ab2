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
  newCommand('rekey', 'After a key rotation, encrypt everything in the database with the current key.', [
    'rekey',
    'rekey --check',
    'rekey --new-key',
  ])
    .option(
      '--check',
      'change nothing; count the values per key, and say whether the previous key is still needed',
    )
    .option('--new-key', 'first create a new key in DATA_DIR/encryption.key')
    .option('--force', 'continue even if an instance encrypts with another key')
    .option('--replace-root', 'replace a root of submission IDs whose key is lost')
    .addHelpText(
      'after',
      '\nYou can run it while the service runs, interrupt it and run it again. See "Rotating the encryption key" in docs/operating.md.',
    )
    .action(async (options: Options, command: Command) => {
      const out = outputOf(command);
      if (options.check && options.newKey)
        throw new CliError('usage', '--check changes nothing. Remove --new-key.');
      // Loaded here, so that other commands do not wait for it.
      const { rekey, reportKeys } = await import('../rekey/rekey.ts');
      if (options.check) {
        report(out, await reportKeys(lookAtConfig()));
        return;
      }
      const bar = new ProgressBar('Encrypting');
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
          'Created the new key. Restart the service, then run leadgate rekey.',
        );
      else conclude(out, done);
    });

function conclude(out: Output, done: Rekeyed): void {
  const { closed, remaining, retired, snapshotError } = done;
  if (snapshotError !== null)
    out.note(
      `The snapshot on this machine could not be replaced: ${snapshotError}. A running service replaces it by itself.`,
    );
  for (const { what, row, why } of closed.slice(0, closedShown))
    out.note(`Left unchanged: ${what}, ${row}. ${why}`);
  if (closed.length > closedShown) out.note(`And ${closed.length - closedShown} more.`);
  if (retired !== null)
    out.note(
      `The previous key is no longer used. It is now in ${retired}: older backups need it. Delete it together with the last of them.`,
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
    `Encrypted ${done.resealed} values with key ${done.keyId}. ${nextStep(done)}`.trimEnd(),
  );
  if (closed.length > 0)
    throw new CliError(
      'failure',
      `${closed.length} values are encrypted with a missing key. Restore that key as ENCRYPTION_KEY_PREVIOUS, or set new secrets.`,
    );
}

function nextStep({ remaining, hasPreviousKey, isPreviousNeeded, retired }: Rekeyed): string {
  if (remaining > 0)
    return `${remaining} values have since been encrypted with another key: give every instance the new key, then run leadgate rekey again.`;
  if (isPreviousNeeded) return 'Keep the previous key, and check again later: leadgate rekey --check.';
  if (!hasPreviousKey || retired !== null) return '';
  return 'ENCRYPTION_KEY_PREVIOUS is no longer needed: remove it from every instance.';
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
      'Nothing is encrypted yet.',
    );
    out.note(`Snapshot on this machine: ${snapshotTexts[snapshot]}.`);
    for (const holder of holders)
      out.note(
        `Instance ${holder.address ?? 'on the database machine'}: ${holder.keyId === null ? 'runs version 0.1.0; upgrade it first' : `encrypts with key ${holder.keyId}`}.`,
      );
  }
  if (lost > 0)
    throw new CliError(
      'failure',
      `${lost} values are encrypted with a missing key. Restore it as ENCRYPTION_KEY_PREVIOUS.`,
    );
  if (isPreviousNeeded) throw new CliError('failure', 'The previous key is still needed.');
  out.note(
    previousKeyIds.length > 0
      ? 'The previous key is no longer needed.'
      : 'Everything is encrypted with the current key, or has no key ID.',
  );
}

const stateTexts = {
  current: 'current key',
  previous: 'previous key',
  unknown: 'missing key',
  no_id: 'encrypted by version 0.1.0, without a key ID',
} as const;

const snapshotTexts = {
  none: 'none',
  current: 'encrypted with the current key',
  earlier: 'encrypted with an earlier key; a running service or leadgate rekey replaces it',
  closed: 'cannot be decrypted; a running service or leadgate rekey replaces it',
} as const;
