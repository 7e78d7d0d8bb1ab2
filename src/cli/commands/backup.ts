import type { Command } from 'commander';
import { lookAtConfig } from '../../config.ts';
import { newCommand, outputOf } from '../command.ts';
import { ProgressBar } from '../progress.ts';

const mebibyte = 1024 ** 2;

export const backupCommand = () =>
  newCommand('backup', 'Copy the data directory of a stopped service: database, keys and spool.', [
    'backup backups/2026-11-15',
    'backup /mnt/backup/leadgate --json',
  ])
    .argument('<folder>', 'a new folder for the backup')
    .addHelpText(
      'after',
      '\nThe service must be stopped: its embedded PostgreSQL cannot be copied while it runs. The backup holds the keys, so keep it as safe as the data.',
    )
    .action(async (folder: string, _options: object, command: Command) => {
      const out = outputOf(command);
      const config = lookAtConfig();
      // Loaded now, because every other command would wait for it as well.
      const { backUp } = await import('../backup/backup.ts');
      const bar = new ProgressBar('Copying');
      const {
        files,
        encryption_key: key,
        made_at,
      } = await backUp(config, folder, {
        say: (text) => out.note(text),
        show: (done, total) => bar.show(done, total),
      }).finally(() => bar.end());
      if (key.kept_in === 'environment')
        out.note('ENCRYPTION_KEY comes from the environment and is not in the backup: keep it elsewhere.');
      const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
      const size = `${files.length} files, ${Math.ceil(bytes / mebibyte)} MiB`;
      out.result({ folder, made_at, files: files.length, bytes }, `Backed up to ${folder}: ${size}.`);
    });
