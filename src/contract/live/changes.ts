import { z } from 'zod';
import { call, file } from '../call.ts';
import { id, strict } from '../shape.ts';

const workspacesMax = 20;

const changesQuery = strict({
  workspace_ids: z
    .string()
    .transform((text) => [...new Set(text.split(','))])
    .pipe(z.array(id).min(1).max(workspacesMax))
    .describe(
      `The IDs of the workspaces to watch, separated by commas; at most ${workspacesMax}. A workspace that you do not belong to looks like one that does not exist.`,
    ),
});

export const watchChanges = call({
  method: 'get',
  path: '/changes',
  tag: 'Changes',
  summary: 'Watch for changes',
  description: [
    'A stream of server-sent events that says what changed, so that you know what to read again. It contains no data.',
    'The first event is `in_step`: changes after it are not missed.',
    '`changed` has the data `{"workspace_id": "…", "changed": ["leads", "tokens"]}`. The names are `leads`, `tokens`, `forms`, `workspace` and `deliveries`; owners also get `members`, `keys`, `diagnostics`, `held`, `alarms`, `enrichment`, `destinations` and `audit`.',
    '`me` means that your account, your role or your list of workspaces changed.',
    'Changes are noticed within about two seconds; several may share one event. Lines that start with a colon keep the connection open.',
    'The stream ends when the session ends or a workspace is no longer yours.',
  ].join(' '),
  access: { by: 'signed_in' },
  query: changesQuery,
  answer: file('text/event-stream'),
  problems: ['not_found', 'too_many_in_progress'],
});
