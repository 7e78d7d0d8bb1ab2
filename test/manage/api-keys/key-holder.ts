import type { Scope } from '../../../src/domain/api-key/scope.ts';
import type { ApiAnswer, TestService } from '../../support/service.ts';

/** Creates an API key with the operator key, which has no quota. */
export async function createApiKey(
  { api }: Pick<TestService, 'api'>,
  workspaceId: string,
  scopes: readonly Scope[],
  more: object = {},
): Promise<{ readonly id: string; readonly key: string }> {
  const body = { name: 'Zapier', scopes, ...more };
  const { status, json, text } = await api('POST', `/workspaces/${workspaceId}/api-keys`, body);
  if (status !== 201) throw new Error(`The key was not created: ${status} ${text}`);
  return json;
}

/** Calls the management API with an API key, from no page of ours. */
export async function callWithKey(
  { url }: Pick<TestService, 'url'>,
  key: string,
  method: string,
  path: string,
  body?: object,
): Promise<ApiAnswer> {
  const response = await fetch(`${url}/api/v1${path}`, {
    method,
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = /[/+]json$/.test(response.headers.get('content-type') ?? '');
  return {
    status: response.status,
    json: isJson ? JSON.parse(text) : null,
    text,
    headers: response.headers,
  };
}
