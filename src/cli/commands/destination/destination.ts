import { newCommand } from '../../command.ts';
import { createCommand } from './create.ts';
import { listCommand } from './list.ts';
import { replayCommand } from './replay.ts';
import { rotateCommand } from './rotate.ts';
import { deleteCommand, pauseCommand, resumeCommand } from './status.ts';
import { testCommand } from './test.ts';

export const destinationCommand = () =>
  newCommand('destination', 'List, create, test, pause, resume and delete destinations.', [
    'destination list',
  ])
    .addCommand(listCommand())
    .addCommand(createCommand())
    .addCommand(testCommand())
    .addCommand(pauseCommand())
    .addCommand(resumeCommand())
    .addCommand(deleteCommand())
    .addCommand(rotateCommand())
    .addCommand(replayCommand());
