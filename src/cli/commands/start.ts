import { become } from '../become.ts';
import { newCommand } from '../command.ts';

export const startCommand = () =>
  newCommand('start', 'Start the service, like npm start; stop it with Ctrl-C.', [
    'start',
    'doctor && leadgate start',
  ]).action(() => become('start'));
