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
  readonly where?: readonly string[];
  readonly sort?: string;
  readonly order?: 'asc' | 'desc';
}

export function filtered(command: Command): Command {
  return inWorkspace(command)
    .option('-f, --form <form>', 'only leads of this form: slug, name or ID')
    .option('--verdict <verdict>', 'only leads with this verdict, such as clean or spam')
    .addOption(new Option('--surface <surface>', 'only leads from this surface').choices(surfaces))
    .option('--from <time>', 'received at this time or later, such as 2026-11-15T08:00:00Z')
    .option('--to <time>', 'received before this time')
    .option('--search <text>', 'only leads with a field that contains this text')
    .option(
      '--where <condition>',
      "a condition such as 'score>=50', 'grade=A', 'field.country!=DE' or 'field.note~rush'; may be repeated",
      (condition: string, others: readonly string[] = []) => [...others, condition],
    )
    .option('--sort <column>', 'received, score, grade, verdict, form or field.<key>')
    .addOption(new Option('--order <order>', 'highest or lowest first').choices(['desc', 'asc']));
}

const ops = { '>=': 'gte', '<=': 'lte', '!=': 'ne', '=': 'eq', '~': 'contains' } as const;

/** The API names the condition that it does not understand. */
function whereOf(conditions: readonly string[] | undefined): string | undefined {
  if (conditions === undefined) return undefined;
  const all = conditions.map((condition) => {
    const [, field = condition, op = '=', value = ''] = /^(.+?)(>=|<=|!=|=|~)(.*)$/s.exec(condition) ?? [];
    const isNumber = /^[<>]=$/.test(op) && value.trim() !== '' && !Number.isNaN(Number(value));
    const given = isNumber ? Number(value) : value.trim();
    return { field: field.trim(), op: ops[op as keyof typeof ops], value: given };
  });
  return JSON.stringify({ all });
}

export async function wanted(api: Api, options: FilterOptions) {
  const { form, verdict, surface, from, to, search, sort, order } = options;
  const { id } = await findWorkspace(api, options.workspace);
  const formId = form === undefined ? undefined : (await findForm(api, id, form)).id;
  const where = whereOf(options.where);
  const query = { form_id: formId, verdict, surface, from, to, q: search, where, sort, order };
  return { params: { workspace_id: id }, query };
}
