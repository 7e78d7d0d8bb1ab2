import type { Command } from 'commander';
import { newCommand, sessionOf } from '../../command.ts';
import { findWorkspace } from '../../find.ts';
import { eventPages } from '../../listen/event-pages.ts';
import { inWorkspace, type WorkspaceOption } from '../../options.ts';
import { safeJson } from '../../terminal/safe-text.ts';

interface EventsOptions extends WorkspaceOption {
  readonly after?: string;
  readonly follow?: boolean;
}

export const eventsCommand = () =>
  inWorkspace(
    newCommand('events', 'Print the event feed of a workspace, oldest first, as lines of JSON.', [
      'events --follow',
      'events --after 1200 | jq .type',
    ]),
  )
    .option('--after <cursor>', 'start after this event; default: with the oldest one kept')
    .option('--follow', 'wait for new events, until Ctrl-C')
    .addHelpText(
      'after',
      '\nTo continue later, use the cursor of the last line as --after. An API key with the scope events:read is enough.',
    )
    .action(async ({ workspace, after, follow }: EventsOptions, command: Command) => {
      const { api, out } = sessionOf(command);
      const { id } = await findWorkspace(api, workspace);
      for await (const events of eventPages(api, out, id, { after, isFollowing: follow === true }))
        for (const event of events) out.line(event, safeJson(event));
    });
