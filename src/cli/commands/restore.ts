import type { Command } from 'commander';
import { lookAtConfig } from '../../config.ts';
import { newCommand, outputOf } from '../command.ts';
import { ProgressBar } from '../terminal/progress.ts';

export const restoreCommand = () =>
  newCommand('restore', 'Check every file of a backup, then restore it to DATA_DIR.', [
    'restore backups/2026-11-15',
    'restore backups/2026-11-15 --overwrite',
  ])
    .argument('<folder>', 'a backup made by leadgate backup')
    .option('--overwrite', 'restore even if DATA_DIR is not empty; existing data is moved aside, not deleted')
    .addHelpText(
      'after',
      '\nA backup made without --with-keys needs its encryption key in ENCRYPTION_KEY or DATA_DIR/encryption.key. When run as root, all files are given to the owner of DATA_DIR. Restore only backups that you trust: they contain the settings of a database server.',
    )
    .action(async (folder: string, { overwrite }: { overwrite?: boolean }, command: Command) => {
      const out = outputOf(command);
      const config = lookAtConfig();
      // Loaded here, so that other commands do not wait for it.
      const { restore } = await import('../backup/restore.ts');
      const bar = new ProgressBar('Restoring');
      const { files, made_at } = await restore(config, folder, overwrite === true, {
        say: (text) => {
          bar.end();
          out.note(text);
        },
        show: (done, total) => bar.show(done, total),
      }).finally(() => bar.end());
      const text = `Restored the backup of ${made_at} to ${config.dataDir}. Start the service.`;
      out.result({ data_dir: config.dataDir, made_at, files: files.length }, text);
    });
