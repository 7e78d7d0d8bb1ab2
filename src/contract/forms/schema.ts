import { z } from 'zod';
import { call, file, json } from '../call.ts';
import { strict } from '../shape.ts';
import { schemaCharactersMax, schemaType } from './field-schema.ts';
import { formField } from './form.ts';

const schemaImport = strict({
  schema: z
    .string()
    .min(1)
    .max(schemaCharactersMax)
    .describe('The JSON Schema as text, so that a key that occurs twice can be refused.'),
}).meta({ id: 'FormSchemaImport' });

const importedSchema = z
  .object({
    fields: z.array(formField),
    left_out: z
      .array(
        z
          .object({
            key: z.string().nullable().describe('The key of the field; null for the schema as a whole.'),
            keyword: z.string(),
          })
          .meta({ id: 'SchemaLoss' }),
      )
      .describe('What a field cannot say, such as `pattern`. Unknown keywords are listed, too.'),
  })
  .meta({ id: 'ImportedFormSchema' });

export const readFormSchema = call({
  method: 'get',
  path: '/workspaces/:workspace_id/forms/:form_id/schema',
  tag: 'Forms',
  summary: 'Export the fields of a form as JSON Schema',
  access: { by: 'member', scope: 'forms:read' },
  answer: file(schemaType),
});

export const importFormSchema = call({
  method: 'put',
  path: '/workspaces/:workspace_id/forms/:form_id/schema',
  tag: 'Forms',
  summary: 'Replace the fields of a form by those of a JSON Schema',
  description:
    'The properties of an object become fields; `title` is the label. The response says what could not be kept.',
  access: { by: 'owner', scope: 'forms:write' },
  body: schemaImport,
  answer: json(200, importedSchema),
});
