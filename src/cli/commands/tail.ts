import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import type { Diagnostics } from '../../contract/diagnostics.ts';
import { newCommand, sessionOf } from '../command.ts';
import { CliError } from '../exit.ts';
import { findWorkspace } from '../find.ts';
import { durationSeconds } from '../input.ts';
import { inWorkspace, type WorkspaceOption } from '../options.ts';
import { type Outcome, OutcomeFeed } from '../outcome-feed.ts';
import { type Output, printable, styled } from '../output.ts';

interface TailOptions extends WorkspaceOption {
  readonly since: string;
  readonly interval: string;
  readonly for?: string;
}

export const tailCommand = () =>
  inWorkspace(
    newCommand('tail', 'Show what happens to submissions while it happens, until Ctrl-C.', [
      'tail --since 10m',
      `tail --json | jq 'select(.reason == "signature_mismatch")'`,
    ]),
  )
    .option('--since <duration>', 'begin with what happened so long ago', '0')
    .option('--interval <duration>', 'how often to ask', '2s')
    .option('--for <duration>', 'end by itself after so long')
    .action(async (options: TailOptions, command: Command) => {
      const { api, out } = sessionOf(command);
      const { id, name } = await findWorkspace(api, options.workspace);
      const startMs = Date.now();
      const sinceMs = startMs - durationSeconds(options.since) * 1000;
      const endMs = options.for === undefined ? null : startMs + durationSeconds(options.for) * 1000;
      const pauseMs = Math.max(1, durationSeconds(options.interval)) * 1000;
      const feed = new OutcomeFeed(
        (query) => api.get<Diagnostics>(`/workspaces/${id}/diagnostics`, query),
        sinceMs,
        durationSeconds(options.since) > 0,
      );
      out.note(`Outcomes of ${printable(name)}; Ctrl-C ends.`);
      for (;;) {
        // Asked before the pause is judged, so that even the shortest watch sees something.
        for (const outcome of await untilReachable(() => feed.next(), out, pauseMs)) show(out, outcome);
        if (endMs !== null && Date.now() >= endMs) return;
        await sleep(pauseMs);
      }
    });

/** A service that restarts is waited for: whoever watches wants to see it come back. */
async function untilReachable<T>(ask: () => Promise<T>, out: Output, pauseMs: number): Promise<T> {
  for (let isTold = false; ; isTold = true) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof CliError) || error.reason !== 'unreachable') throw error;
      if (!isTold) out.note(`${error.message} Waiting for it.`);
      await sleep(pauseMs);
    }
  }
}

const colours = { accepted: 'green', rate_limited: 'yellow', rejected: 'red' } as const;

function show(out: Output, outcome: Outcome): void {
  const { at, outcome: kind, reason, surface, count, request_id: requestId, detail } = outcome;
  const times = count === 1 ? '' : ` ×${count}`;
  const details = detail === null || Object.keys(detail).length === 0 ? '' : ` ${JSON.stringify(detail)}`;
  const rest = [surface, requestId].filter((part) => part !== null).join(' ');
  const what = styled(colours[kind], (reason ?? kind) + times);
  out.line(outcome, `${styled('dim', at)} ${what} ${rest}${styled('dim', printable(details))}`.trimEnd());
}
