import type { Command } from 'commander';
import { readCommandLineConfig } from '../../../config.ts';
import {
  decryptToken,
  encryptToken,
  linkWithKey,
  secretsIn,
} from '../../../contract/tokens/handover-cipher.ts';
import type { Api } from '../../api.ts';
import { newCommand, outputOf, sessionOf } from '../../command.ts';
import { CliError } from '../../exit.ts';
import { idArgument } from '../../find.ts';
import { inWorkspace, type WorkspaceOption } from '../../options.ts';
import { isInteractive, typeHidden } from '../../terminal/prompt.ts';
import { readBytes } from '../../terminal/read-bytes.ts';
import { printable } from '../../terminal/safe-text.ts';
import { findToken, isCurrent } from './find-token.ts';

const timeoutMs = 30_000;

export const linkNote = 'Pass this link on. It shows the token once and works for 72 hours:';

/** Encrypts the token here. The service gets neither it nor the key. */
export async function createLink(
  api: Api,
  workspaceId: string,
  tokenId: string,
  token: string,
): Promise<string> {
  const { ciphertext, key } = await encryptToken(token);
  const { link } = await api.call('POST', '/workspaces/:workspace_id/tokens/:token_id/handover-links', {
    params: { workspace_id: workspaceId, token_id: tokenId },
    body: { ciphertext },
  });
  return linkWithKey(link, key);
}

export const handOverCommand = () =>
  inWorkspace(
    newCommand('hand-over', 'Create a link that shows a token once, to pass it on.', [
      'token hand-over Backend < token.txt',
    ]),
  )
    .argument('<token>', 'its name or ID; the token itself comes from LEADGATE_TOKEN or standard input')
    .action(async (wanted: string, { workspace }: WorkspaceOption, command: Command) => {
      const { api, out } = sessionOf(command);
      const { workspaceId, token } = await findToken(api, workspace, wanted, isCurrent);
      const secret = readCommandLineConfig().token ?? (await readHidden('Token: '));
      if (!secret.endsWith(token.hint.slice(-4)))
        throw new CliError('usage', `This is not the token ${token.hint}.`);
      const link = await createLink(api, workspaceId, token.id, secret);
      out.note(linkNote);
      out.result({ handover_link: link }, link);
    });

export const openLinkCommand = () =>
  newCommand('open-link', 'Open a hand-over link and print its token. The link works once.', [
    'token open-link < link.txt',
  ]).action(async (_options: object, command: Command) => {
    // From standard input: other users of the machine can see arguments.
    const link = URL.parse(await readHidden('Link: '));
    const secrets = link === null ? null : secretsIn(link.hash);
    if (link === null || secrets === null)
      throw new CliError('usage', 'This is not a hand-over link, or part of it is missing.');
    const { ciphertext } = await open(link, secrets.token);
    const token = await decryptToken({ ciphertext, key: secrets.key }).catch(() => {
      throw new CliError(
        'failure',
        'The token cannot be decrypted: the link was changed. Ask for a new one.',
      );
    });
    outputOf(command).result({ token }, printable(token));
  });

export const cancelLinkCommand = () =>
  inWorkspace(
    newCommand('cancel-link', 'Cancel the open hand-over links of a token, or one of them.', [
      'token cancel-link Backend',
    ]),
  )
    .argument('<token>', 'its name or ID')
    .argument('[link]', 'the ID of the link')
    .action(
      async (wanted: string, one: string | undefined, { workspace }: WorkspaceOption, command: Command) => {
        const { api, out } = sessionOf(command);
        const { workspaceId, token } = await findToken(api, workspace, wanted);
        const ids = one === undefined ? token.handover_links.map(({ id }) => id) : [idArgument('link', one)];
        for (const link_id of ids)
          await api.call('DELETE', '/workspaces/:workspace_id/tokens/:token_id/handover-links/:link_id', {
            params: { workspace_id: workspaceId, token_id: token.id, link_id },
          });
        out.result({ cancelled: ids }, `Cancelled ${ids.length} ${ids.length === 1 ? 'link' : 'links'}.`);
      },
    );

async function readHidden(question: string): Promise<string> {
  const text = isInteractive() ? await typeHidden(question) : (await readBytes('-')).toString('utf8');
  return text.trim();
}

/** At the service that the link names, without a key: anyone with the link may open it. */
async function open({ origin, pathname }: URL, token: string): Promise<{ ciphertext: string }> {
  const base = origin + pathname.replace(/\/handover$/, '');
  const response = await fetch(`${base}/api/v1/handover-links/open`, {
    method: 'POST',
    redirect: 'error',
    // As its own page would.
    headers: { 'Content-Type': 'application/json', Origin: origin },
    body: JSON.stringify({ token }),
    signal: AbortSignal.timeout(timeoutMs),
  }).catch(() => {
    throw new CliError('unreachable', `${base} does not respond.`);
  });
  if (response.status === 404)
    throw new CliError('missing', 'The link was opened already, has ended or never existed.');
  if (!response.ok) throw new CliError('failure', `${base} responded with ${response.status}.`);
  return (await response.json()) as { ciphertext: string };
}
