import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import type { DiagnosticsInput } from '../../contract/diagnostics.ts';
import type { Api } from '../api.ts';
import { newCommand, sessionOf } from '../command.ts';
import { findWorkspace } from '../find.ts';
import { durationSeconds } from '../input.ts';
import { KnownForms } from '../known-forms.ts';
import { inWorkspace, type WorkspaceOption } from '../options.ts';
import { untilReachable } from '../patience.ts';
import { eventText, inOrder } from '../tail/events.ts';
import { LeadFeed } from '../tail/lead-feed.ts';
import { OutcomeFeed } from '../tail/outcome-feed.ts';
import { printable } from '../terminal/safe-text.ts';

interface TailOptions extends WorkspaceOption {
  readonly since: string;
  readonly interval: string;
  readonly for?: string;
}

export const tailCommand = () =>
  inWorkspace(
    newCommand('tail', 'Show leads and rejections as they happen, until Ctrl-C.', [
      'tail --since 10m',
      `tail --json | jq 'select(.reason == "signature_mismatch")'`,
    ]),
  )
    .option('--since <duration>', 'start this far in the past', '0')
    .option('--interval <duration>', 'how often to check', '2s')
    .option('--for <duration>', 'stop after this long')
    .addHelpText(
      'after',
      '\nEach lead has one line with the time it was received; a spooled lead appears once it is stored. Of a flood of rejections, only the number is shown.',
    )
    .action(async (options: TailOptions, command: Command) => {
      const { api, out } = sessionOf(command);
      const sinceSeconds = durationSeconds(options.since);
      const pauseMs = Math.max(1, durationSeconds(options.interval)) * 1000;
      const forSeconds = options.for === undefined ? null : durationSeconds(options.for);
      const { id, name } = await findWorkspace(api, options.workspace);
      const startMs = api.now();
      const sinceMs = startMs - sinceSeconds * 1000;
      const endMs = forSeconds === null ? null : startMs + forSeconds * 1000;
      const feeds = feedsOf(api, id, sinceMs, sinceSeconds > 0);
      const onTrouble = () => feeds.leads.noteTrouble(api.now());
      const patiently = <T>(ask: () => Promise<T>) => untilReachable(ask, out, { pauseMs, onTrouble });
      const past = await feeds.leads.begin(sinceSeconds > 0 ? sinceMs : null);
      const pastRejected = await feeds.rejected.next();
      out.note(`Watching ${printable(name)}. Press Ctrl-C to stop.`);
      for (let leads = past, rejected = pastRejected; ; ) {
        const forms = await patiently(() =>
          feeds.forms.of([...leads, ...rejected].flatMap(({ form_id }) => form_id ?? [])),
        );
        for (const event of inOrder(leads, rejected, forms)) out.line(event, eventText(event));
        if (endMs !== null && api.now() >= endMs) return;
        await sleep(pauseMs);
        const isLast = endMs !== null && api.now() >= endMs;
        leads = await patiently(() => feeds.leads.next(api.now(), isLast));
        rejected = await patiently(() => feeds.rejected.next());
      }
    });

function feedsOf(api: Api, workspaceId: string, sinceMs: number, isTellingThePast: boolean) {
  const params = { workspace_id: workspaceId };
  const leads = new LeadFeed({
    leads: (query) => api.call('GET', '/workspaces/:workspace_id/leads', { params, query }),
    async isSpooling() {
      const { database, spool } = await api.call('GET', '/operator/health');
      return !database.available || spool.leads > 0;
    },
  });
  const ask = (query: DiagnosticsInput) =>
    api.call('GET', '/workspaces/:workspace_id/diagnostics', { params, query });
  return {
    leads,
    rejected: new OutcomeFeed(ask, () => api.now(), sinceMs, isTellingThePast),
    forms: new KnownForms(api, workspaceId),
  };
}
