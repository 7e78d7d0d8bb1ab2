import { setTimeout as sleep } from 'node:timers/promises';
import { type Command, Option } from 'commander';
import type { Replay } from '../../../contract/destinations/deliveries.ts';
import { type DeliveryState, deliveryStates } from '../../../domain/destination/destination.ts';
import type { Api } from '../../api.ts';
import { newCommand, sessionOf } from '../../command.ts';
import { findDestination, findWorkspace } from '../../find.ts';
import { inWorkspace, type WorkspaceOption } from '../../options.ts';
import { type ConfirmOption, confirm, withConfirmation } from '../../terminal/confirm.ts';
import { ProgressBar } from '../../terminal/progress.ts';
import { printable } from '../../terminal/safe-text.ts';

interface ReplayOptions extends WorkspaceOption, ConfirmOption {
  readonly state: DeliveryState;
  readonly from?: string;
  readonly to?: string;
  readonly dryRun?: boolean;
}

const pauseMs = 500;

export const replayCommand = () =>
  withConfirmation(
    inWorkspace(
      newCommand('replay', 'Send many deliveries of a destination again; counts them first.', [
        'destination replay CRM --dry-run',
        'destination replay CRM --state delivered --from 2026-11-15T00:00:00Z --yes',
      ]),
    ),
  )
    .argument('<destination>', 'its name or ID')
    .addOption(
      new Option('--state <state>', 'only deliveries in this state')
        .choices(deliveryStates.filter((state) => state !== 'pending'))
        .default('dead'),
    )
    .option('--from <time>', 'created at this time or later, such as 2026-11-15T08:00:00Z')
    .option('--to <time>', 'created before this time')
    .option('--dry-run', 'only count them')
    .addHelpText(
      'after',
      '\nThey are sent at the pace of the destination, with the webhook-id that they had: a receiver that knows it can ignore them.',
    )
    .action(async (wanted: string, options: ReplayOptions, command: Command) => {
      const { api, out } = sessionOf(command);
      const { id: workspaceId } = await findWorkspace(api, options.workspace);
      const { id, name } = await findDestination(api, workspaceId, wanted);
      const filter = { destination_id: id, ...selectionOf(options) };
      const ask = (dry_run: boolean) =>
        api.call('POST', '/workspaces/:workspace_id/deliveries/replays', {
          params: { workspace_id: workspaceId },
          body: { filter, dry_run },
        });
      const counted = await ask(true);
      if (options.dryRun || counted.total === 0)
        return out.result(counted, printable(`${countText(counted.total)} of ${name} would be sent again.`));
      await confirm(options, `Send ${countText(counted.total)} to ${name} again?`);
      const done = await untilFinished(api, workspaceId, await ask(false));
      out.result(done, printable(`${countText(done.done)} will be sent to ${name} again.`));
    });

function selectionOf({ state, from, to }: ReplayOptions) {
  return { state, ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
}

function countText(count: number): string {
  return count === 1 ? '1 delivery' : `${count} deliveries`;
}

/** The service goes through the selection by itself; to stop watching does not stop it. */
async function untilFinished(api: Api, workspaceId: string, started: Replay): Promise<Replay> {
  const bar = new ProgressBar('Preparing deliveries');
  let replay = started;
  while (replay.finished_at === null) {
    bar.show(replay.done, replay.total);
    await sleep(pauseMs);
    replay = await api.call('GET', '/workspaces/:workspace_id/deliveries/replays/:replay_id', {
      params: { workspace_id: workspaceId, replay_id: started.id as string },
    });
  }
  bar.end();
  return replay;
}
