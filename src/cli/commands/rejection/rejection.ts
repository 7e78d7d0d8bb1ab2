import { newCommand } from '../../command.ts';
import { dryRunCommand } from './dry-run.ts';
import { getCommand } from './get.ts';
import { groupsCommand } from './groups.ts';
import { listCommand } from './list.ts';
import { unattributedCommand } from './unattributed.ts';

export const rejectionCommand = () =>
  newCommand('rejection', 'List, count and show rejected submissions with their reasons.', ['rejection list'])
    .addCommand(listCommand())
    .addCommand(groupsCommand())
    .addCommand(getCommand())
    .addCommand(dryRunCommand())
    .addCommand(unattributedCommand());
