import {
  fieldsOfSchema,
  type SchemaFields,
  schemaOfFields,
  schemaType,
} from '../../contract/forms/field-schema.ts';
import { fields as fieldList } from '../../contract/forms/form.ts';
import * as contract from '../../contract/forms/schema.ts';
import { inputErrorMessage, inputErrors } from '../../contract/problem.ts';
import { findForm } from '../../db/forms/forms.ts';
import { invalidInput, notFound } from '../calls/problem.ts';
import { route } from '../calls/route.ts';
import { changeForm } from './form-changes.ts';

export const formSchemaRoutes = [
  route(contract.readFormSchema, async ({ params }, { pool }) => {
    const found = await findForm(pool, params.workspace_id, params.form_id);
    if (found === null) throw notFound('form');
    return new Response(schemaOfFields(found.name, found.fields), {
      headers: {
        'content-type': schemaType,
        'content-disposition': `attachment; filename="${found.slug}.schema.json"`,
      },
    });
  }),
  route(contract.importFormSchema, async ({ params, body }, deps) => {
    const { fields, losses } = readSchema(body.schema);
    const checked = fieldList.safeParse(fields, { error: inputErrorMessage });
    if (!checked.success) throw invalidInput(inputErrors(checked.error));
    const saved = await changeForm(deps, params.workspace_id, params.form_id, { fields: checked.data });
    return { fields: [...saved.fields], left_out: [...losses] };
  }),
];

function readSchema(text: string): SchemaFields {
  try {
    return fieldsOfSchema(text);
  } catch (error) {
    throw invalidInput([{ field: 'schema', message: (error as Error).message.replace(/\.$/, '') }]);
  }
}
