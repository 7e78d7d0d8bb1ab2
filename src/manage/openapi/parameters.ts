import { z } from 'zod';
import type { CallDeclaration } from '../../contract/call.ts';

type JsonSchema = z.core.JSONSchema.BaseSchema;

export interface ParameterDescription {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly description?: string;
  readonly schema: object;
}

/** What each path parameter means, on every path. */
const pathTexts: Readonly<Record<string, string>> = {
  workspace_id:
    'The ID of the workspace. A workspace that you do not belong to looks like one that does not exist.',
  form_id: 'The ID of the form, in this workspace.',
  token_id: 'The ID of the ingest token, not the token itself.',
  link_id: 'The ID of the hand-over link, from `handover_links` of its token.',
  api_key_id: 'The ID of the API key, not the key itself.',
  person_id: 'The ID of the person, from the list of members.',
  session_id: 'The ID of the session, from the list of your sessions.',
  invitation_id: 'The ID of the invitation, from the list of invitations.',
  quarantine_id: 'The ID of the quarantined lead, from the list of quarantined leads.',
  destination_id: 'The ID of the destination, in this workspace.',
  held_id: 'The ID of the held submission, which is that of its rejection.',
  rejection_id: 'The ID of the rejection, from the diagnostics; a held submission has the same.',
  delivery_id: 'The ID of the delivery, from the list of deliveries.',
  decision_id: 'The ID of the admission or discard, from the response that started it.',
  action_id: 'The ID of the action on many leads, from the response that started it.',
  view_id: 'The ID of the saved view, from the list of saved views.',
  alarm_id: 'The ID of the alarm, from the list of alarms.',
  replay_id: 'The ID of the replay, from the response that started it.',
  submission_id: 'The ID of the lead: the `submission_id` that its sender received with the `202`.',
};

export function pathParameters({ path }: Pick<CallDeclaration, 'path'>): ParameterDescription[] {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
  return names.map((name) => ({
    name,
    in: 'path',
    required: true,
    ...described(pathTexts[name]),
    schema: { type: 'string', format: 'uuid' },
  }));
}

export function queryParameters({ query }: Pick<CallDeclaration, 'query'>): ParameterDescription[] {
  if (query === undefined) return [];
  const {
    properties = {},
    required = [],
    additionalProperties,
  } = z.toJSONSchema(query, {
    io: 'input',
    override: asSent,
  });
  const named = Object.entries(properties).map(([name, property]) => {
    const { description, ...schema } = property as JsonSchema;
    const isRequired = required.includes(name) ? { required: true } : {};
    return { name, in: 'query' as const, ...isRequired, schema, ...described(description) };
  });
  return typeof additionalProperties === 'object' ? [...named, freeParameter(additionalProperties)] : named;
}

/**
 * Parameters whose names the caller chooses. In OpenAPI this is an object with `style: form` and `explode`: each member becomes
 * a query parameter, and the name of the object itself is not sent.
 */
function freeParameter({ title = '', description, ...value }: JsonSchema): ParameterDescription {
  const prefix = title.replace(/<.*$/, '');
  const schema = {
    type: 'object',
    propertyNames: { pattern: `^${prefix.replaceAll('.', '\\.')}` },
    additionalProperties: value,
  };
  return {
    name: title,
    in: 'query',
    ...described(description),
    ...{ style: 'form', explode: true, example: { [`${prefix}company`]: 'Analytical Engines' } },
    schema,
  };
}

function described(description: string | undefined): { readonly description?: string } {
  return description === undefined ? {} : { description };
}

/**
 * A default is told in words, and is the example of the reference: generated clients take a field that has a default as always
 * present, and then demand it in requests.
 */
export function asSent(schema: { jsonSchema: JsonSchema }): void {
  const { default: value, description } = schema.jsonSchema;
  if (value !== undefined) {
    const words = `Default: \`${typeof value === 'string' ? value : JSON.stringify(value)}\`.`;
    schema.jsonSchema.description = description === undefined ? words : `${description} ${words}`;
    schema.jsonSchema.examples = [value];
  }
  plain(schema);
}

export function plain({ jsonSchema }: { jsonSchema: JsonSchema }): void {
  // The format says enough; its regular expressions would fill the page.
  if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
  delete jsonSchema.default;
}
