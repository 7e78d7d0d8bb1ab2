import type { ApiAnswer, TestService } from '../service.ts';

export const goodPassword = 'seven wet umbrellas';

/** A person's browser: it stores cookies and sends the headers that show where its requests come from. */
export class Browser {
  readonly cookies = new Map<string, string>();
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
  }

  /** The headers that a browser adds to each request of the service's own pages. */
  get ownHeaders(): Record<string, string> {
    return { Origin: new URL(this.#url).origin, 'Sec-Fetch-Site': 'same-origin' };
  }

  /** `path` comes after /api. Undefined headers are left out. */
  async call(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string | undefined> = this.ownHeaders,
  ): Promise<ApiAnswer> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const sent = {
      ...headers,
      ...(cookie === '' ? {} : { Cookie: cookie }),
      'Content-Type': 'application/json',
    };
    const response = await fetch(`${this.#url}/api${path}`, {
      method,
      headers: Object.entries(sent).filter((entry): entry is [string, string] => entry[1] !== undefined),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    this.#keep(response.headers.getSetCookie());
    const text = await response.text();
    return { status: response.status, json: parsed(text), text, headers: response.headers };
  }

  api(method: string, path: string, body?: unknown): Promise<ApiAnswer> {
    return this.call(method, `/v1${path}`, body);
  }

  signIn(email: string, password = goodPassword): Promise<ApiAnswer> {
    return this.call('POST', '/auth/sign-in/email', { email, password });
  }

  #keep(setCookies: readonly string[]): void {
    for (const setCookie of setCookies) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(setCookie) ?? [];
      if (value === '' || /max-age=0/i.test(setCookie)) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The token in the link of a new invitation, created with the operator key. */
export async function invite(
  service: TestService,
  workspaceId: string,
  email: string,
  role: string,
): Promise<string> {
  const { json } = await service.api('POST', `/workspaces/${workspaceId}/invitations`, { email, role });
  return json.link.split('#token=')[1];
}

/** A new person with this role in the workspace, signed in. */
export async function join(
  service: TestService,
  workspaceId: string,
  email: string,
  role: string,
): Promise<Browser> {
  const browser = new Browser(service.url);
  const token = await invite(service, workspaceId, email, role);
  const answer = await browser.api('POST', '/invitations/accept', {
    token,
    name: email.split('@')[0],
    password: goodPassword,
  });
  if (answer.status !== 200) throw new Error(`could not join: ${answer.text}`);
  return browser;
}

/** Makes a person an operator with the operator key, or removes that role. */
export async function makeOperator(
  service: Pick<TestService, 'api'>,
  person: Browser,
  operator = true,
): Promise<ApiAnswer> {
  const { json } = await person.api('GET', '/me');
  return service.api('POST', '/operator/people', { person_id: json.user.id, operator });
}
