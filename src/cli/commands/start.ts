import { become } from '../become.ts';
import { newCommand } from '../command.ts';

export const startCommand = () =>
  newCommand('start', 'Start the service, as npm start does; Ctrl-C stops it.', [
    'start',
    'doctor && leadgate start',
  ]).action(() => become('start'));
