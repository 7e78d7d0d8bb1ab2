import type { Command } from 'commander';
import { newCommand, type Session, sessionOf } from '../../command.ts';
import { CliError } from '../../exit.ts';
import { findForm, findWorkspace } from '../../find.ts';
import { durationSeconds } from '../../input.ts';
import { inWorkspace, type WorkspaceOption } from '../../options.ts';
import { findToken, isCurrent } from './find-token.ts';
import { createLink, linkNote } from './hand-over.ts';

interface HandOverOption {
  readonly handOver?: true;
}

interface NewTokenOptions extends WorkspaceOption, HandOverOption {
  readonly form: string;
  readonly expires?: string;
}

const handOverText = 'print a link that shows the token once, instead of the token';

export const createCommand = () =>
  inWorkspace(
    newCommand('create', 'Create an ingest token and print it once.', [
      'token create Backend --form contact',
      'token create Import --form contact --expires 90d > token.txt',
      'token create Agency --form contact --hand-over',
    ]),
  )
    .argument('<name>')
    .requiredOption('-f, --form <form>', 'the form for its leads: slug, name or ID')
    .option(
      '--expires <when>',
      'when it expires: never, a time from now such as 90d, or 2027-01-01T00:00:00Z',
    )
    .option('--hand-over', handOverText)
    .action(async (name: string, options: NewTokenOptions, command: Command) => {
      const session = sessionOf(command);
      const { api } = session;
      const expires_at = expiryOf(options.expires, api.now());
      const { id } = await findWorkspace(api, options.workspace);
      const made = await api.call('POST', '/workspaces/:workspace_id/tokens', {
        params: { workspace_id: id },
        body: { name, form_id: (await findForm(api, id, options.form)).id, expires_at },
      });
      await give(session, id, made, options);
    });

interface RotationOptions extends WorkspaceOption, HandOverOption {
  readonly grace: string;
}

export const rotateCommand = () =>
  inWorkspace(
    newCommand('rotate', 'Replace a token with a new one and print it once.', [
      'token rotate Backend',
      'token rotate Backend --grace 0s',
      'token rotate Agency --grace 7d --hand-over',
    ]),
  )
    .argument('<token>', 'its name or ID')
    .option('--grace <time>', 'how long the old token keeps working, such as 0s, 1h or 7d', '24h')
    .option('--hand-over', handOverText)
    .action(async (wanted: string, options: RotationOptions, command: Command) => {
      const session = sessionOf(command);
      const grace_seconds = durationSeconds(options.grace);
      const { workspaceId, token } = await findToken(session.api, options.workspace, wanted, isCurrent);
      const made = await session.api.call('POST', '/workspaces/:workspace_id/tokens/:token_id/rotation', {
        params: { workspace_id: workspaceId, token_id: token.id },
        body: { grace_seconds },
      });
      await give(session, workspaceId, made, options);
    });

/** Prints the token, or a link to it. If there is no link, the token must not be lost. */
async function give(
  { api, out }: Session,
  workspaceId: string,
  made: { readonly id: string; readonly token: string },
  { handOver }: HandOverOption,
): Promise<void> {
  if (handOver) {
    try {
      const link = await createLink(api, workspaceId, made.id, made.token);
      const { token: _, ...rest } = made;
      out.note(linkNote);
      out.result({ ...rest, handover_link: link }, link);
      return;
    } catch (error) {
      if (!(error instanceof CliError)) throw error;
      out.note(`The link was not created. ${error.message}`);
    }
  }
  out.note('The token is shown only once:');
  out.result(made, made.token);
}

function expiryOf(text: string | undefined, now: number): string | null {
  if (text === undefined || text === 'never') return null;
  return /^\d+[smhd]$/.test(text) ? new Date(now + durationSeconds(text) * 1000).toISOString() : text;
}
