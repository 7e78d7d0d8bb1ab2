import { randomBytes } from 'node:crypto';
import type { Api } from '../cli/api.ts';
import type { Stage } from './stage.ts';

export interface SignIn {
  readonly email: string;
  readonly password: string;
}

/** A person who owns all workspaces of the demo and is an operator, so that every page opens. */
export async function inviteOwner(api: Api, stages: readonly Stage[]): Promise<SignIn> {
  const signIn = { email: 'owner@demo.example', password: `demo ${randomBytes(6).toString('hex')}` };
  const workspaceIds = [...new Set(stages.map(({ workspaceId }) => workspaceId))];
  let cookie = '';
  for (const [index, workspaceId] of workspaceIds.entries()) {
    const { link } = await api.call('POST', '/workspaces/:workspace_id/invitations', {
      params: { workspace_id: workspaceId },
      body: { email: signIn.email, role: 'owner' },
    });
    const token = link?.split('#token=')[1];
    const account = index === 0 ? { name: 'Demo Owner', password: signIn.password } : {};
    cookie = (await accept(api.url, { token, ...account }, cookie)) || cookie;
  }
  const { items } = await api.call('GET', '/operator/people', { query: { q: signIn.email } });
  await api.call('POST', '/operator/people', { body: { person_id: items[0]?.id ?? '', operator: true } });
  return signIn;
}

/** Accepts an invitation like the settings area. Returns the session cookies for the next invitation. */
async function accept(url: string, body: object, cookie: string): Promise<string> {
  const response = await fetch(`${url}/api/v1/invitations/accept`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Origin: url,
      'Sec-Fetch-Site': 'same-origin',
      ...(cookie === '' ? {} : { Cookie: cookie }),
    },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`The demo owner could not be created: ${await response.text()}`);
  return response.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
}
