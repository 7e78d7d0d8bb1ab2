import type { Command } from 'commander';
import { lookAtConfig } from '../../config.ts';
import { newCommand, outputOf } from '../command.ts';
import { ProgressBar } from '../terminal/progress.ts';

const mebibyte = 1024 ** 2;

const keyNotes = {
  file: 'The backup contains the keys: anyone who has it can sign leads and act as you. Keep it as safe as the data.',
  environment: 'ENCRYPTION_KEY is set in the environment and is not in the backup. Keep it in a safe place.',
  elsewhere:
    'The keys are not in the backup. Keep a copy of DATA_DIR/encryption.key in a safe place: restore needs it.',
};

export const backupCommand = () =>
  newCommand('backup', 'Back up the database and spool of a stopped service.', [
    'backup backups/2026-11-15',
    'backup /mnt/backup/leadgate --with-keys --json',
  ])
    .argument('<folder>', 'a new folder for the backup')
    .option('--with-keys', 'also copy operator.key and encryption.key')
    .addHelpText(
      'after',
      '\nStop the service first: its embedded PostgreSQL cannot be copied while it runs. Without --with-keys, keep a copy of encryption.key in a safe place: restore needs it.',
    )
    .action(async (folder: string, { withKeys = false }: { withKeys?: boolean }, command: Command) => {
      const out = outputOf(command);
      const config = lookAtConfig();
      // Loaded here, so that other commands do not wait for it.
      const { backUp } = await import('../backup/backup.ts');
      const bar = new ProgressBar('Copying');
      const {
        files,
        encryption_key: key,
        made_at,
      } = await backUp(config, folder, withKeys, {
        say: (text) => out.note(text),
        show: (done, total) => bar.show(done, total),
      }).finally(() => bar.end());
      out.note(keyNotes[key.kept_in]);
      const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
      const size = `${files.length} files, ${Math.ceil(bytes / mebibyte)} MiB`;
      out.result(
        { folder, made_at, files: files.length, bytes, with_keys: withKeys },
        `Backed up to ${folder}: ${size}.`,
      );
    });
