import type { Command } from 'commander';
import { noKeyText } from '../api.ts';
import { newCommand, sessionOf } from '../command.ts';
import { CliError } from '../exit.ts';
import { detailLines } from '../terminal/details.ts';

export const whoamiCommand = () =>
  newCommand('whoami', 'Show which key the commands use, at which service, and what it may do.', [
    'whoami',
    'whoami --json | jq .key.scopes',
  ]).action(async (_options: object, command: Command) => {
    const { api, out } = sessionOf(command);
    const { url, keyKind: kind } = api;
    // Also finds out whether the key is right.
    const page = kind === 'none' ? null : await api.call('GET', '/workspaces', { query: { limit: 1 } });
    const key = kind === 'api_key' ? await api.call('GET', '/key') : null;
    const workspace = key === null ? null : (page?.items[0] ?? null);
    const rights = [
      ['Workspace', workspace === null ? 'all' : `${workspace.name} (${workspace.id})`],
      ['Scopes', key?.scopes.join(' ') ?? 'all'],
      ['Expires', key?.expires_at ?? 'never'],
    ] as const;
    const shown = key === null ? kind.replace('_', ' ') : `API key ${key.name} (${key.hint})`;
    const lines = detailLines([['Key', shown], ['URL', url], ...(page === null ? [] : rights)]);
    out.result({ url, kind, key, workspace }, lines.join('\n'));
    if (page === null) throw new CliError('forbidden', noKeyText);
  });
