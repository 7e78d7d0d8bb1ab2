import { become } from '../become.ts';
import { newCommand } from '../command.ts';

export const demoCommand = () =>
  newCommand(
    'demo',
    'Start a service with a month of made-up leads in ./demo-data and print the sign-in; stop it with Ctrl-C.',
    ['demo', 'demo  # again: the same month and sign-in'],
  ).action(() => become('demo'));
