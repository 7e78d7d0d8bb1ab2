import { type Command, Option } from 'commander';
import type { HeldSubmission } from '../../../contract/held/held.ts';
import { heldClasses } from '../../../domain/held/held-class.ts';
import { rejectionReasons } from '../../../domain/rejection.ts';
import type { Api } from '../../api.ts';
import { findForm } from '../../find.ts';

export interface HeldFilterOptions {
  readonly form?: string;
  readonly reason?: HeldSubmission['reason'];
  readonly class?: HeldSubmission['class'];
}

/** Which held submissions. */
export function withHeldFilter(command: Command): Command {
  return command
    .option('-f, --form <form>', 'only those sent to this form: slug, name or ID')
    .addOption(
      new Option('--reason <reason>', 'only those rejected for this reason').choices(
        rejectionReasons.map(({ code }) => code),
      ),
    )
    .addOption(new Option('--class <class>', 'only those of this class').choices(heldClasses));
}

/** As the API expects it. */
export async function heldFilterOf(api: Api, workspaceId: string, options: HeldFilterOptions) {
  const { form, reason } = options;
  return {
    ...(form === undefined ? {} : { form_id: (await findForm(api, workspaceId, form)).id }),
    ...(reason === undefined ? {} : { reason }),
    ...(options.class === undefined ? {} : { class: options.class }),
  };
}

export function countText(count: number): string {
  return count === 1 ? '1 held submission' : `${count} held submissions`;
}
