import { newCommand } from '../../command.ts';
import { admitCommand } from './admit.ts';
import { discardCommand } from './discard.ts';
import { listCommand } from './list.ts';
import { showCommand } from './show.ts';
import { summaryCommand } from './summary.ts';
import { verifyCommand } from './verify.ts';

export const heldCommand = () =>
  newCommand('held', 'Look through rejected submissions that are held, and admit or discard them.', [
    'held summary',
    'held list',
  ])
    .addCommand(summaryCommand())
    .addCommand(listCommand())
    .addCommand(showCommand())
    .addCommand(admitCommand())
    .addCommand(discardCommand())
    .addCommand(verifyCommand());
