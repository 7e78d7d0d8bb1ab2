import { type Command, Option } from 'commander';
import type { Form } from '../../contract/forms/form.ts';
import { replayProtections } from '../../domain/form.ts';
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

const columns: Column<Form>[] = [
  { title: 'ID', show: ({ id }) => id },
  { title: 'SLUG', show: ({ slug }) => slug },
  { title: 'NAME', show: ({ name }) => name },
  {
    title: 'STATUS',
    show: ({ active }) => (active ? 'active' : 'inactive'),
    style: ({ active }) => (active ? 'green' : 'yellow'),
  },
  { title: 'SECRET', show: ({ webhook_secret: { configured } }) => (configured ? 'set' : 'none') },
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
    out.table(
      await api.list('/workspaces/:workspace_id/forms', { params: { workspace_id: id } }),
      columns,
      'No forms yet.',
    );
  });

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
  readonly active?: boolean;
  readonly inactive?: boolean;
}

const update = () =>
  inWorkspace(
    newCommand('update', 'Change the name, slug, state or replay protection of a form.', [
      'form update contact --inactive',
      'form update contact --name "Contact us" --slug contact-us',
    ]),
  )
    .argument('<form>', 'its slug, name or ID')
    .option('--name <name>', 'the new name')
    .option(
      '--slug <slug>',
      'the new slug; leads sent to the old one are rejected, and no other workspace can use it',
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
      const { workspace, name, slug, active, inactive, replayProtection } = options;
      if (active && inactive) throw new CliError('usage', 'Use either --active or --inactive.');
      const { api, out } = sessionOf(command);
      const state = active ? { active: true } : inactive ? { active: false } : {};
      const changed = await api.call('PATCH', '/workspaces/:workspace_id/forms/:form_id', {
        params: await formParams(api, workspace, form),
        body: {
          ...(name === undefined ? {} : { name }),
          ...(slug === undefined ? {} : { slug }),
          ...(replayProtection === undefined ? {} : { replay_protection: replayProtection }),
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
      if (!isAccepted)
        throw new CliError(
          'failure',
          'The test lead was rejected. To see why, run: leadgate tail --since 1m',
        );
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
    .addCommand(dryRunCommand());
