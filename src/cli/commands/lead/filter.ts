import { type Command, Option } from 'commander';
import type { Lead } from '../../../contract/leads/lead.ts';
import { surfaces } from '../../../domain/surface.ts';
import type { Api } from '../../api.ts';
import { findForm, findWorkspace } from '../../find.ts';
import { inWorkspace, type WorkspaceOption } from '../../options.ts';

export interface FilterOptions extends WorkspaceOption {
  readonly form?: string;
  readonly verdict?: Lead['verdict'];
  readonly surface?: Lead['surface'];
  readonly from?: string;
  readonly to?: string;
  readonly search?: string;
  readonly where?: string;
}

export function filtered(command: Command): Command {
  return inWorkspace(command)
    .option('-f, --form <form>', 'only leads of this form: slug, name or ID')
    .option('--verdict <verdict>', 'only leads with this verdict, such as clean or spam')
    .addOption(new Option('--surface <surface>', 'only leads from this surface').choices(surfaces))
    .option('--from <time>', 'received at this time or later, such as 2026-11-15T08:00:00Z')
    .option('--to <time>', 'received before this time')
    .option('--search <text>', 'only leads with a field that contains this text')
    .option('--where <json>', "only leads that meet conditions, in the shape of a destination's filter");
}

export async function wanted(api: Api, options: FilterOptions) {
  const { form, verdict, surface, from, to, search, where } = options;
  const { id } = await findWorkspace(api, options.workspace);
  const formId = form === undefined ? undefined : (await findForm(api, id, form)).id;
  const query = { form_id: formId, verdict, surface, from, to, q: search, where };
  return { params: { workspace_id: id }, query };
}
