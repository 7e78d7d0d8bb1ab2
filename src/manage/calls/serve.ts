import type { IncomingMessage } from 'node:http';
import type { Context, Handler } from 'hono';
import { type CallDeclaration, isCompressible, operationId } from '../../contract/call.ts';
import type { Caller } from '../../http/caller.ts';
import { clientAddress } from '../../http/client-address.ts';
import type { Client } from '../accounts/accounts.ts';
import { requirePasswordProof } from '../accounts/password-proof.ts';
import { audited } from '../audit/audit.ts';
import type { SecurityEvent } from '../audit/events/security-event.ts';
import type { ManagementDeps } from '../deps.ts';
import {
  type Authenticate,
  type Authenticated,
  HiddenWorkspace,
  type Principal,
  requireAccess,
  requireRole,
} from './access.ts';
import { Problem } from './problem.ts';
import { readBody, readParams, readQuery } from './request-input.ts';
import { type Asked, type Route, respond } from './route.ts';
import { requireSameOrigin } from './same-origin.ts';

export const requestIdKey = 'requestId';
/** Set where the response has no secret in it, whatever it will be. */
export const isCompressibleKey = 'isCompressible';

export interface ManagementEnv {
  Bindings: { readonly incoming?: IncomingMessage; readonly caller?: Caller };
  Variables: { [requestIdKey]: string; [isCompressibleKey]?: boolean };
}

/** Checks the caller, then their role, then the input: a caller without a key or session learns nothing else. */
export function serve(
  route: Route,
  authenticate: Authenticate,
  deps: ManagementDeps,
): Handler<ManagementEnv> {
  return async (context) => {
    const { req } = context;
    context.set(isCompressibleKey, isCompressible(route.declaration));
    const client = clientOf(context, deps);
    const { principal, cookies } = await authenticate(client, req.method);
    if (principal.kind === 'person') deps.uncountedProxy.proven(client.headers);
    const params = context.req.param() as Record<string, string>;
    try {
      return await answer(context, route, deps, client, { principal, cookies });
    } catch (error) {
      noteRefusal(error, route.declaration, principal, params.workspace_id, client, deps);
      throw error;
    }
  };
}

async function answer(
  context: Context<ManagementEnv>,
  route: Route,
  deps: ManagementDeps,
  client: Client,
  { principal, cookies }: Authenticated,
): Promise<Response> {
  const { req } = context;
  const { declaration } = route;
  requireAccess(principal, declaration.access, req.param('workspace_id'));
  // Another site could sign a browser in as someone else, even if nobody is signed in.
  if (principal.kind === 'nobody') requireSameOrigin(client.headers, req.method, deps.accounts.origin);
  const params = readParams(req);
  const { workspace_id } = params;
  const role =
    workspace_id === undefined
      ? null
      : await requireRole(deps.pool, principal, workspace_id, declaration.access);
  const caller = context.env?.caller;
  return inPlace(declaration, principal, caller, deps, async () => {
    const query = readQuery(req, declaration.query);
    const body = declaration.body === undefined ? undefined : await readBody(req, declaration.body);
    // After the input is checked: nobody types a password only to learn that something else was wrong.
    requirePasswordProof(declaration, principal, deps.clock.now());
    const { ended, hungUp } = caller ?? {};
    const asked = { principal, role, client, params, query, body, ended, hungUp };
    const answer = respond(declaration, await perform(route, asked, deps));
    for (const cookie of cookies) answer.headers.append('set-cookie', cookie);
    return answer;
  });
}

/** Records that a signed-in person or an API key tried something they are not allowed to do. */
function noteRefusal(
  error: unknown,
  call: CallDeclaration,
  principal: Principal,
  workspaceId: string | undefined,
  { address }: Client,
  { events }: ManagementDeps,
): void {
  if (!(error instanceof Problem)) return;
  const isHidden = error instanceof HiddenWorkspace;
  if (!isHidden && error.code !== 'forbidden' && error.code !== 'scope_missing') return;
  const who = knownCaller(principal);
  if (who === null) return;
  events.note({
    kind: 'accessRefused',
    address,
    ...who,
    operation: operationId(call),
    // Owners do not learn the names of people outside their workspace.
    ...(isHidden || workspaceId === undefined ? {} : { workspaceId }),
  });
}

function knownCaller(principal: Principal): Pick<SecurityEvent, 'person' | 'apiKey'> | null {
  if (principal.kind === 'person') return { person: principal.person };
  return principal.kind === 'api_key' ? { apiKey: principal.key } : null;
}

/** An expensive call is in progress until its response is sent or its caller disconnects. */
async function inPlace(
  { expensive }: CallDeclaration,
  principal: Principal,
  caller: Caller | undefined,
  { expensiveCalls }: ManagementDeps,
  work: () => Promise<Response>,
): Promise<Response> {
  if (expensive === undefined) return work();
  const release = await expensiveCalls.enter(expensive, principal, caller?.hungUp);
  try {
    const answer = await work();
    if (caller === undefined || caller.ended.aborted) release();
    else caller.ended.addEventListener('abort', release, { once: true });
    return answer;
  } catch (error) {
    release();
    throw error;
  }
}

function perform(route: Route, asked: Asked, deps: ManagementDeps): Promise<unknown> {
  const { method, audit, gives } = route.declaration;
  const isKept = (method !== 'get' && audit === undefined) || gives !== undefined;
  return isKept ? audited(route, asked, deps) : route.handle(asked, deps);
}

export function clientOf(
  { req, env }: Context<ManagementEnv>,
  { proxyCount, uncountedProxy }: Pick<ManagementDeps, 'proxyCount' | 'uncountedProxy'>,
): Client {
  uncountedProxy.arrived(req.raw.headers);
  // Without a connection there is no address.
  const socketAddress = env?.incoming?.socket.remoteAddress;
  const address = clientAddress(socketAddress, req.header('x-forwarded-for'), proxyCount);
  return { address, headers: req.raw.headers };
}
