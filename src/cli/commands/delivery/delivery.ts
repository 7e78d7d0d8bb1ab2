import { newCommand } from '../../command.ts';
import { listCommand } from './list.ts';
import { replayCommand } from './replay.ts';
import { showCommand } from './show.ts';

export const deliveryCommand = () =>
  newCommand('delivery', 'List and show deliveries, and send them again.', ['delivery list --state dead'])
    .addCommand(listCommand())
    .addCommand(showCommand())
    .addCommand(replayCommand());
