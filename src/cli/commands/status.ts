import type { Command } from 'commander';
import type { Totals } from '../../contract/diagnostics.ts';
import { hourMs } from '../../time/clock.ts';
import type { Api } from '../api.ts';
import { newCommand, sessionOf } from '../command.ts';
import { CliError } from '../exit.ts';
import { findWorkspace } from '../find.ts';
import { inWorkspace, type WorkspaceOption } from '../options.ts';
import { detailLines } from '../terminal/details.ts';

// The others are shown if something is wrong, and by doctor.
const shownAlways = new Set(['database', 'spool']);

export const statusCommand = () =>
  inWorkspace(
    newCommand(
      'status',
      'Show whether the service is ready and what arrived in the last hour; exits with 1 if something is wrong.',
      ['status', 'status --json | jq .ready'],
    ),
  )
    .addHelpText('after', '\nWithout a key, it shows only whether the service is ready.')
    .action(async ({ workspace: wanted }: WorkspaceOption, command: Command) => {
      const { api, out } = sessionOf(command);
      const { url } = api;
      const not_ready = await api.whyNotReady();
      const problems = not_ready === null ? [] : [`The service is not ready: ${not_ready}.`];
      const health = api.keyKind === 'operator_key' ? await known(api.call('GET', '/operator/health')) : null;
      const workspace = await known(findWorkspace(api, wanted));
      const last_hour = workspace instanceof CliError ? workspace : await known(lastHour(api, workspace.id));
      const { instance, statements = [] } = valueIn(health) ?? {};
      for (const { state, text } of statements) if (state === 'problem') problems.push(text);
      const shown = statements.filter(({ id, state }) => state !== 'ok' || shownAlways.has(id));
      const lines = detailLines([
        ['Service', instance === undefined ? url : `${url}, version ${instance.version}`],
        ['Ready', not_ready === null ? 'yes' : `no: ${not_ready}`],
        ...shown.map(({ text, advice = '' }) => ['Health', `${text} ${advice}`.trim()] as const),
        ['Workspace', textOf(workspace, ({ name, id, status }) => `${name} (${id}), ${status}`)],
        ...(workspace instanceof CliError ? [] : [['Last hour', textOf(last_hour, totalsText)] as const]),
      ]);
      const ready = not_ready === null;
      const result = {
        url,
        ready,
        not_ready,
        health: valueIn(health),
        workspace: valueIn(workspace),
        last_hour: valueIn(last_hour),
      };
      out.result(result, lines.join('\n'));
      if (workspace instanceof CliError && workspace.reason === 'missing') throw workspace;
      if (problems.length > 0) throw new CliError('failure', problems.join(' '));
    });

/** Or why it is not known: the key may not know it, or the service cannot say it now. */
function known<T>(asked: Promise<T>): Promise<T | CliError> {
  return asked.catch((error) => {
    if (error instanceof CliError) return error;
    throw error;
  });
}

function valueIn<T>(given: T | CliError): T | null {
  return given instanceof CliError ? null : given;
}

function textOf<T>(given: T | CliError, text: (value: T) => string): string {
  return given instanceof CliError ? given.message : text(given);
}

function totalsText({ accepted, other, rate_limited }: Totals): string {
  return `${accepted} accepted, ${other} rejected, ${rate_limited} over a rate limit`;
}

async function lastHour(api: Api, workspaceId: string) {
  const { totals } = await api.call('GET', '/workspaces/:workspace_id/diagnostics', {
    params: { workspace_id: workspaceId },
    query: { from: new Date(api.now() - hourMs).toISOString(), limit: 1 },
  });
  return totals;
}
