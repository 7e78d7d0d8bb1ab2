import { newCommand } from '../../command.ts';
import { acknowledgeCommand } from './acknowledge.ts';
import { listCommand } from './list.ts';
import { rhythmCommand } from './rhythm.ts';
import { disableCommand, enableCommand, muteCommand, silenceCommand, unmuteCommand } from './rules.ts';
import { setCommand, settingsCommand } from './settings.ts';
import { showCommand } from './show.ts';

export const alarmCommand = () =>
  newCommand('alarm', 'List and acknowledge alarms, and choose which ones are raised and who is told.', [
    'alarm list --state open',
    'alarm settings',
  ])
    .addCommand(listCommand())
    .addCommand(showCommand())
    .addCommand(acknowledgeCommand())
    .addCommand(settingsCommand())
    .addCommand(setCommand())
    .addCommand(muteCommand())
    .addCommand(unmuteCommand())
    .addCommand(enableCommand())
    .addCommand(disableCommand())
    .addCommand(silenceCommand())
    .addCommand(rhythmCommand());
