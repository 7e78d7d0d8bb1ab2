import { become } from '../become.ts';
import { newCommand } from '../command.ts';

export const demoCommand = () =>
  newCommand(
    'demo',
    'Start a service with a month of made-up leads in ./demo-data and print how to sign in; stop it with Ctrl-C.',
    ['demo', 'demo  # later: the same data and sign-in'],
  ).action(() => become('demo'));
