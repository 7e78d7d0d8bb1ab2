import type { Command } from 'commander';
import { newCommand, sessionOf } from '../../command.ts';
import { formParams } from '../../find.ts';
import { inWorkspace, type WorkspaceOption } from '../../options.ts';
import { readBytes } from '../../terminal/read-bytes.ts';
import { printable } from '../../terminal/safe-text.ts';

const path = '/workspaces/:workspace_id/forms/:form_id/schema';

const exportSchema = () =>
  inWorkspace(
    newCommand('export', 'Print the fields of a form as JSON Schema.', [
      'form schema export contact > contact.schema.json',
    ]),
  )
    .argument('<form>', 'its slug, name or ID')
    .action(async (form: string, { workspace }: WorkspaceOption, command: Command) => {
      const { api, out } = sessionOf(command);
      const chunks = await api.stream(path, { params: await formParams(api, workspace, form) });
      const schema = Buffer.concat(await Array.fromAsync(chunks)).toString('utf8');
      out.result(JSON.parse(schema), schema.trimEnd());
    });

const importSchema = () =>
  inWorkspace(
    newCommand('import', 'Replace the fields of a form with the properties of a JSON Schema.', [
      'form schema import contact contact.schema.json',
      'form schema import contact - < contact.schema.json',
    ]),
  )
    .argument('<form>', 'its slug, name or ID')
    .argument('<file>', 'the file with the schema, or - for standard input')
    .action(async (form: string, file: string, { workspace }: WorkspaceOption, command: Command) => {
      const schema = (await readBytes(file)).toString('utf8');
      const { api, out } = sessionOf(command);
      const saved = await api.call('PUT', path, {
        params: await formParams(api, workspace, form),
        body: { schema },
      });
      const lost = saved.left_out.map(({ key, keyword }) =>
        key === null ? keyword : `${keyword} of ${key}`,
      );
      if (lost.length > 0) out.note(printable(`Not imported: ${lost.join('; ')}.`));
      const count = saved.fields.length;
      out.result(saved, `The form has ${count === 1 ? 'one field' : `${count} fields`} now.`);
    });

export const schemaCommand = () =>
  newCommand('schema', 'Export and import the fields of a form as JSON Schema.', [
    'form schema export contact',
  ])
    .addCommand(exportSchema())
    .addCommand(importSchema());
