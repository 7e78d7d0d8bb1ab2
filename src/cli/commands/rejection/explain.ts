import type { Command } from 'commander';
import { describeReason } from '../../../domain/rejection.ts';
import { systemClock } from '../../../time/real-clock.ts';
import type { Api } from '../../api.ts';
import { sessionOf } from '../../command.ts';
import { CliError } from '../../exit.ts';
import { entryOf } from './find-rejection.ts';

export interface Explanation {
  readonly reason: string;
  readonly text: string;
  readonly fix: string;
}

// A rejection is visible at most five seconds after its response.
const waitMs = 6_000;
const pauseMs = 300;
const requestsMax = 10;
const workspacesMax = 50;

export const whereReasonsAre =
  'An owner finds the reason in the settings area under Ingest tokens, Diagnostics, or with leadgate rejection get and the request ID; if the token or the slug is unknown, an operator finds it.';

/** Why requests were rejected, by their IDs, as far as the key of this command may know it. */
export async function explainRejections(
  command: Command,
  requestIds: readonly (string | null)[],
): Promise<ReadonlyMap<string, Explanation>> {
  const found = new Map<string, Explanation>();
  const wanted = requestIds.filter((id) => id !== null).slice(0, requestsMax);
  if (wanted.length === 0) return found;
  const lastAt = systemClock.monotonic() + waitMs;
  try {
    const { api } = sessionOf(command);
    const workspaces = await api.list('/workspaces', {}, workspacesMax);
    const look = async () => {
      for (const id of wanted) {
        const why = found.has(id) ? undefined : await lookUp(api, workspaces, id);
        if (why !== undefined) found.set(id, why);
      }
      return found.size === wanted.length || systemClock.monotonic() >= lastAt;
    };
    while (!(await look())) await systemClock.sleep(pauseMs);
  } catch (error) {
    // Without a key that may know it, the result is the same as for any other sender.
    if (!(error instanceof CliError)) throw error;
  }
  return found;
}

async function lookUp(
  api: Api,
  workspaces: readonly { readonly id: string }[],
  request_id: string,
): Promise<Explanation | undefined> {
  for (const { id } of workspaces) {
    const entry = await entryOf(api, id, request_id);
    if (entry !== undefined) return { ...describeReason(entry.reason), text: entry.sentence };
  }
  if (api.keyKind !== 'operator_key') return undefined;
  const { items } = await api.call('GET', '/operator/unattributed', { query: { request_id } });
  return items[0];
}
