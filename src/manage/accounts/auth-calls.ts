import type { Handler, Hono } from 'hono';
import { z } from 'zod';
import { email, password } from '../../contract/people.ts';
import type { EventKind } from '../audit/events/security-event.ts';
import { Problem } from '../calls/problem.ts';
import { limitBody, readBody } from '../calls/request-input.ts';
import { requireSameOrigin } from '../calls/same-origin.ts';
import { clientOf, type ManagementEnv } from '../calls/serve.ts';
import type { ManagementDeps } from '../deps.ts';
import type { Accounts, Client, Endpoint } from './accounts.ts';
import { problemOfLibrary, refusalMsMin, WrongPassword } from './auth-problems.ts';
import { authPath } from './names.ts';
import { requireGoodPassword } from './passwords/common-passwords.ts';
import { SignInLimited } from './sign-in-limit.ts';

/** A call of the account library that clients can make. Calls that are not listed do not exist. */
interface AuthCall<Body> {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly endpoint: Endpoint;
  readonly body: z.ZodType<Body>;
  /** The event recorded on success. */
  readonly event?: EventKind;
  /** May throw, and may change what the library sees. */
  prepare?(body: Body, client: Client, accounts: Accounts): Promise<object>;
  done?(body: Body, client: Client, accounts: Accounts): Promise<void>;
  /** Whose password is checked. */
  email?(body: Body, client: Client, accounts: Accounts): Promise<string | undefined>;
}

const nothing = z.object({});
const signInBody = z.object({ email, password, rememberMe: z.boolean().optional() });
const passwordChange = z.object({ currentPassword: password, newPassword: password });

const calls: readonly AuthCall<never>[] = [
  call({
    method: 'POST',
    path: '/sign-in/email',
    endpoint: 'signInEmail',
    body: signInBody,
    event: 'signIn',
    email: async (body) => body.email,
    async prepare(body, { address }, accounts) {
      await accounts.limit.take({ email: body.email, address });
      return body;
    },
    async done({ email }, { address }, accounts) {
      await accounts.limit.succeeded({ email, address });
      await accounts.forgetExpired();
    },
  }),
  call({ method: 'POST', path: '/sign-out', endpoint: 'signOut', body: nothing }),
  call({
    method: 'POST',
    path: '/change-password',
    endpoint: 'changePassword',
    body: passwordChange,
    event: 'passwordChanged',
    email: (_body, client, accounts) => emailOfSession(client, accounts),
    async prepare(body, client, accounts) {
      const session = await accounts.readSession(client);
      if (session === null) throw new Problem('unauthorized', 'Sign in first.');
      const attempt = { email: session.person.email, address: client.address };
      requireGoodPassword(body.newPassword, session.person, 'newPassword');
      // Someone who finds an open browser gets no more guesses at the password than anyone else.
      await accounts.limit.take(attempt);
      // People change a password when they fear that others know it.
      return { ...body, revokeOtherSessions: true };
    },
  }),
  call({ method: 'GET', path: '/get-session', endpoint: 'getSession', body: nothing }),
  call({ method: 'GET', path: '/list-sessions', endpoint: 'listSessions', body: nothing }),
  call({
    method: 'POST',
    path: '/revoke-session',
    endpoint: 'revokeSession',
    body: z.object({ token: z.string().min(1).max(200) }),
    event: 'sessionEnded',
    email: (_body, client, accounts) => emailOfSession(client, accounts),
  }),
  call({
    method: 'POST',
    path: '/revoke-other-sessions',
    endpoint: 'revokeOtherSessions',
    body: nothing,
    event: 'otherSessionsEnded',
    email: (_body, client, accounts) => emailOfSession(client, accounts),
  }),
];

async function emailOfSession(client: Client, accounts: Accounts): Promise<string | undefined> {
  return (await accounts.readSession(client))?.person.email;
}

function call<Body>(declaration: AuthCall<Body>): AuthCall<never> {
  return declaration as unknown as AuthCall<never>;
}

export function serveAuth(app: Hono<ManagementEnv>, deps: ManagementDeps): void {
  for (const declared of calls) {
    app.on(declared.method, authPath + declared.path, limitBody, serveCall(declared, deps));
  }
}

function serveCall(declared: AuthCall<never>, deps: ManagementDeps): Handler<ManagementEnv> {
  const { method, endpoint, body: schema, prepare, done } = declared;
  const { accounts } = deps;
  return async (context) => {
    const client = clientOf(context, deps);
    requireSameOrigin(client.headers, method, accounts.origin);
    const body = (method === 'GET' ? {} : await readBody(context.req, schema)) as never;
    return noted(declared, body, client, deps, async () => {
      const sent = (await prepare?.(body, client, accounts)) ?? body;
      const floor = deps.clock.sleep(refusalMsMin);
      const answer = await accounts.call(client, endpoint, sent);
      if (!answer.ok) {
        await floor;
        throw await problemOfLibrary(answer);
      }
      await done?.(body, client, accounts);
      return withoutToken(answer);
    });
  };
}

/** Records how a call that asked for a password ended. */
async function noted(
  { event, email: emailOf }: AuthCall<never>,
  body: never,
  client: Client,
  { accounts, events }: ManagementDeps,
  work: () => Promise<Response>,
): Promise<Response> {
  if (event === undefined) return work();
  const { address } = client;
  // Read first, because the call may end the session.
  const email = await emailOf?.(body, client, accounts);
  try {
    const answer = await work();
    events.note({ kind: event, address, email });
    return answer;
  } catch (error) {
    if (error instanceof SignInLimited) {
      // A caller over the limit of their IP address may name a different account each time.
      const limited = error.limit === 'address' ? undefined : email;
      events.note({ kind: 'signInLimited', address, email: limited });
    } else if (error instanceof WrongPassword) {
      events.note({ kind: 'signInFailed', address, email });
    }
    throw error;
  }
}

/** Scripts cannot read the session cookie, so the token must not be in a body that they can read. */
async function withoutToken(answer: Response): Promise<Response> {
  const body: unknown = await answer.json();
  const isOne = typeof body === 'object' && body !== null && !Array.isArray(body);
  const shown = isOne ? Object.fromEntries(Object.entries(body).filter(([name]) => name !== 'token')) : body;
  const headers = answer.headers.getSetCookie().map((cookie): [string, string] => ['set-cookie', cookie]);
  return Response.json(shown, { status: answer.status, headers });
}
