import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { apiPrefix } from '../../src/contract/address.ts';
import type { CallDeclaration } from '../../src/contract/call.ts';
import { calls } from '../../src/contract/calls.ts';
import { describeApi } from '../../src/manage/openapi/openapi.ts';

interface Content {
  readonly content?: { readonly 'application/json'?: { readonly schema: object } };
}

interface Operation {
  readonly parameters: { name: string; in: string; required?: true; schema: object; style?: string }[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content>>;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
}

/** What the service publishes as openapi.json. */
export const published = describeApi({
  publicUrl: () => 'http://localhost:3000',
  headerPrefix: 'X-SVC-',
}) as Document;

const validators = new Ajv2020({ strict: false });
addFormats.default(validators);

/** Checks a value as a client would that has read the document. */
export function validatorOf(schema: object): ValidateFunction {
  return validators.compile({ ...schema, components: published.components });
}

export function operationOf({ method, path }: Pick<CallDeclaration, 'method' | 'path'>): Operation {
  return published.paths[apiPrefix + path.replaceAll(/:(\w+)/g, '{$1}')]?.[method] as Operation;
}

const routes = calls.map((call) => {
  const path = new RegExp(`^${call.path.replaceAll(/:\w+/g, '[^/]+')}$`);
  return { method: call.method.toUpperCase(), path, operation: operationOf(call) };
});
const responseValidators = new Map<object, ValidateFunction>();

/** Throws if a response differs from what the document says about it. */
export function checkResponse(method: string, address: string, status: number, body: unknown): void {
  const [path = ''] = address.split('?');
  const route = routes.find((each) => each.method === method && each.path.test(path));
  const schema = route?.operation.responses[status]?.content?.['application/json']?.schema;
  if (schema === undefined) return;
  const validate = responseValidators.get(schema) ?? validatorOf(schema);
  responseValidators.set(schema, validate);
  if (!validate(body))
    throw new Error(
      `openapi.json describes another response of ${method} ${path}: ${validators.errorsText(validate.errors)}`,
    );
}
