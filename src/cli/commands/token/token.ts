import { newCommand } from '../../command.ts';
import { createCommand, rotateCommand } from './create.ts';
import { cancelLinkCommand, handOverCommand, openLinkCommand } from './hand-over.ts';
import { listCommand, showCommand } from './list.ts';
import { revokeCommand } from './revoke.ts';

export const tokenCommand = () =>
  newCommand('token', 'List, create, rotate, hand over and revoke ingest tokens.', ['token list'])
    .addCommand(listCommand())
    .addCommand(showCommand())
    .addCommand(createCommand())
    .addCommand(rotateCommand())
    .addCommand(handOverCommand())
    .addCommand(openLinkCommand())
    .addCommand(cancelLinkCommand())
    .addCommand(revokeCommand());
