import { type Command, Option } from 'commander';
import type { Diagnostics } from '../../../contract/diagnostics.ts';
import { rejectionReasons, severities } from '../../../domain/rejection.ts';
import { surfaces } from '../../../domain/surface.ts';
import type { Api } from '../../api.ts';
import { findForm } from '../../find.ts';
import { inWorkspace, type WorkspaceOption } from '../../options.ts';

export type RejectionEntry = Diagnostics['items'][number];

export interface FilterOptions extends WorkspaceOption {
  readonly form?: string;
  readonly reason?: readonly RejectionEntry['reason'][];
  readonly severity?: RejectionEntry['severity'];
  readonly surface?: RejectionEntry['surface'];
  readonly from?: string;
  readonly to?: string;
}

/** For commands about rejections. */
export function withFilter(command: Command): Command {
  return inWorkspace(command)
    .option('-f, --form <form>', 'only rejections of this form: slug, name or ID')
    .addOption(
      new Option('--reason <reason...>', 'only rejections for this reason, or any of several').choices(
        rejectionReasons.map(({ code }) => code),
      ),
    )
    .addOption(new Option('--severity <severity>', 'only rejections of this severity').choices(severities))
    .addOption(new Option('--surface <surface>', 'only rejections on this surface').choices(surfaces))
    .option('--from <time>', 'at this time or later, such as 2026-11-15T08:00:00Z')
    .option('--to <time>', 'before this time');
}

export async function filterQuery(api: Api, workspaceId: string, options: FilterOptions) {
  const { form, reason, severity, surface, from, to } = options;
  const form_id = form === undefined ? undefined : (await findForm(api, workspaceId, form)).id;
  return { form_id, reason: reason?.join(','), severity, surface, from, to };
}
