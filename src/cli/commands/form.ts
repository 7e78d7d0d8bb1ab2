import { type Command, Option } from 'commander';
import type { FormActivity } from '../../contract/forms/activity.ts';
import type { Form } from '../../contract/forms/form.ts';
import { aliasDays, replayProtections, unknownKeysPolicies } from '../../domain/form.ts';
import { newCommand, sessionOf } from '../command.ts';
import { CliError } from '../exit.ts';
import { findForm, findWorkspace, formParams } from '../find.ts';
import { inWorkspace, type WorkspaceOption } from '../options.ts';
import { type Column, styled } from '../output.ts';
import { type ConfirmOption, confirm, withConfirmation } from '../terminal/confirm.ts';
import { printable } from '../terminal/safe-text.ts';
import { browserCommand } from './form/browser.ts';
import { dryRunCommand } from './form/dry-run.ts';
import { learningCommand } from './form/learning.ts';
import { schemaCommand } from './form/schema.ts';
import { explainRejections, whereReasonsAre } from './rejection/explain.ts';

/** With how much it is used. */
type UsedForm = Form & { readonly activity: Omit<FormActivity['items'][number], 'form_id'> | null };

const columns: Column<UsedForm>[] = [
  { title: 'ID', show: ({ id }) => id },
  { title: 'SLUG', show: ({ slug }) => slug },
  { title: 'NAME', show: ({ name }) => name },
  {
    title: 'STATUS',
    show: ({ active }) => (active ? 'active' : 'inactive'),
    style: ({ active }) => (active ? 'green' : 'yellow'),
  },
  { title: 'SECRET', show: ({ webhook_secret: { configured } }) => (configured ? 'set' : 'none') },
  { title: 'LEADS 24H', show: ({ activity }) => String(activity?.leads_24h ?? 0) },
  { title: 'REJECTED 24H', show: ({ activity }) => rejectedText(activity) },
  { title: 'LAST LEAD', show: ({ activity }) => activity?.last_lead_at ?? 'none' },
];

const list = () =>
  inWorkspace(
    newCommand('list', 'List the forms of a workspace.', [
      'form list',
      'form list --workspace Engines --json',
    ]),
  ).action(async ({ workspace }: WorkspaceOption, command: Command) => {
    const { api, out } = sessionOf(command);
    const { id } = await findWorkspace(api, workspace);
    const params = { workspace_id: id };
    const forms = await api.list('/workspaces/:workspace_id/forms', { params });
    const { items } = await api.call('GET', '/workspaces/:workspace_id/form-activity', { params });
    const byForm = new Map(items.map(({ form_id, ...activity }) => [form_id, activity]));
    const used = forms.map((form) => ({ ...form, activity: byForm.get(form.id) ?? null }));
    out.table(used, columns, 'No forms yet.');
  });

/** Callers who may not see rejections get no number. */
function rejectedText(activity: UsedForm['activity']): string {
  if (activity?.rejected_24h == null) return '-';
  const limited = activity.rate_limited_24h ?? 0;
  return limited === 0 ? String(activity.rejected_24h) : `${activity.rejected_24h} (+${limited} limited)`;
}

const create = () =>
  inWorkspace(
    newCommand('create', 'Create a form and print its ID.', ['form create "Website contact" --slug contact']),
  )
    .argument('<name>')
    .option('--slug <slug>', 'the last part of its webhook URL; default: made from the name')
    .option('--inactive', 'create it inactive: it rejects all leads')
    .action(async (name: string, options: ChangeOptions, command: Command) => {
      const { api, out } = sessionOf(command);
      const { id } = await findWorkspace(api, options.workspace);
      const made = await api.call('POST', '/workspaces/:workspace_id/forms', {
        params: { workspace_id: id },
        body: {
          name,
          ...(options.slug === undefined ? {} : { slug: options.slug }),
          active: options.inactive !== true,
        },
      });
      out.note(`The form has the slug ${made.slug}.`);
      out.result(made, made.id);
    });

interface ChangeOptions extends WorkspaceOption {
  readonly replayProtection?: Form['replay_protection'];
  readonly name?: string;
  readonly slug?: string;
  readonly keepFormerSlug?: boolean;
  readonly unknownKeys?: Form['unknown_keys'];
  readonly active?: boolean;
  readonly inactive?: boolean;
}

const update = () =>
  inWorkspace(
    newCommand('update', 'Change the name, slug, state or other settings of a form.', [
      'form update contact --inactive',
      'form update contact --name "Contact us" --slug contact-us',
      'form update contact --slug contact-us --keep-former-slug',
    ]),
  )
    .argument('<form>', 'its slug, name or ID')
    .option('--name <name>', 'the new name')
    .option(
      '--slug <slug>',
      'the new slug; leads sent to the old one are rejected, and no other workspace can use it',
    )
    .option('--keep-former-slug', `accept leads at the old slug for another ${aliasDays} days`)
    .addOption(
      new Option('--unknown-keys <choice>', 'whether lead pages show keys that are not declared').choices(
        unknownKeysPolicies,
      ),
    )
    .option('--active', 'accept leads')
    .option('--inactive', 'reject all leads')
    .addOption(
      new Option(
        '--replay-protection <rule>',
        'when a signed request that arrives twice counts as one lead',
      ).choices(replayProtections),
    )
    .action(async (form: string, options: ChangeOptions, command: Command) => {
      const { workspace, name, slug, active, inactive, replayProtection, unknownKeys } = options;
      if (active && inactive) throw new CliError('usage', 'Use either --active or --inactive.');
      const { api, out } = sessionOf(command);
      const state = active ? { active: true } : inactive ? { active: false } : {};
      const changed = await api.call('PATCH', '/workspaces/:workspace_id/forms/:form_id', {
        params: await formParams(api, workspace, form),
        body: {
          ...(name === undefined ? {} : { name }),
          ...(slug === undefined ? {} : { slug }),
          ...(replayProtection === undefined ? {} : { replay_protection: replayProtection }),
          ...(unknownKeys === undefined ? {} : { unknown_keys: unknownKeys }),
          ...(options.keepFormerSlug ? { keep_former_slug: true } : {}),
          ...state,
        },
      });
      const shown = `${changed.name} (${changed.slug}) is ${changed.active ? 'active' : 'inactive'}.`;
      out.result(changed, printable(shown));
    });

const remove = () =>
  withConfirmation(
    inWorkspace(
      newCommand(
        'delete',
        'Delete a form. Its leads stay, its webhook secret is erased, and no other workspace can use its slug.',
        ['form delete old-form', 'form delete old-form --yes'],
      ),
    ),
  )
    .argument('<form>', 'its slug, name or ID')
    .action(async (form: string, options: WorkspaceOption & ConfirmOption, command: Command) => {
      const { api, out } = sessionOf(command);
      const workspace = await findWorkspace(api, options.workspace);
      const { id, slug, name } = await findForm(api, workspace.id, form);
      await confirm(options, `Delete the form ${name} (${slug}) of ${workspace.name} and erase its secret?`);
      await api.call('DELETE', '/workspaces/:workspace_id/forms/:form_id', {
        params: { workspace_id: workspace.id, form_id: id },
      });
      out.result({ deleted: id }, `Deleted ${printable(slug)}.`);
    });

const tryOut = () =>
  inWorkspace(
    newCommand('test', 'Have the service send a signed test lead to a form.', ['form test contact']),
  )
    .argument('<form>', 'its slug, name or ID')
    .action(async (form: string, { workspace }: WorkspaceOption, command: Command) => {
      const { api, out } = sessionOf(command);
      const sent = await api.call('POST', '/workspaces/:workspace_id/forms/:form_id/test-lead', {
        params: await formParams(api, workspace, form),
        body: {},
      });
      const isAccepted = sent.submission_id !== null;
      const text = isAccepted ? `accepted ${sent.submission_id}` : `rejected, request ID ${sent.request_id}`;
      out.result(sent, styled(isAccepted ? 'green' : 'red', text));
      if (isAccepted) return;
      const why = (await explainRejections(command, [sent.request_id])).get(String(sent.request_id));
      const reason = why === undefined ? whereReasonsAre : `${why.reason}: ${why.text} ${why.fix}`;
      throw new CliError('failure', printable(`The test lead was rejected. ${reason}`));
    });

export const formCommand = () =>
  newCommand('form', 'List, create, change, delete and test forms.', ['form list'])
    .addCommand(list())
    .addCommand(create())
    .addCommand(update())
    .addCommand(remove())
    .addCommand(tryOut())
    .addCommand(browserCommand())
    .addCommand(learningCommand())
    .addCommand(dryRunCommand())
    .addCommand(schemaCommand());
