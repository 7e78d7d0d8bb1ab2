import { randomUUID } from 'node:crypto';
import { type Handler, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { isUnavailable } from '../db/unavailable.ts';
import { findWorkspace } from '../db/workspaces.ts';
import { type Authenticate, authenticateWith, requireAccess } from './access.ts';
import type { ManagementDeps } from './deps.ts';
import { describeApi } from './openapi.ts';
import { notFound, Problem } from './problem.ts';
import { serveReference } from './reference.ts';
import { readBody, readParams, readQuery } from './request-input.ts';
import type { Route } from './route.ts';
import { apiPrefix, routes } from './routes.ts';

const bodyBytesMax = 1_000_000;
const requestIdKey = 'requestId';

export interface ManagementEnv {
  Variables: { [requestIdKey]: string };
}

/** The control plane: everything under /api but the ingest paths, which are served before it. */
export function createManagement(deps: ManagementDeps): Hono<ManagementEnv> {
  const app = new Hono<ManagementEnv>();
  app.use(async (context, next) => {
    const requestId = randomUUID();
    context.set(requestIdKey, requestId);
    await next();
    const { method, path } = context.req;
    deps.log.debug({ request_id: requestId, method, path, status: context.res.status }, 'management request');
    context.res.headers.set('x-request-id', requestId);
    context.res.headers.set('x-content-type-options', 'nosniff');
    if (!context.res.headers.has('cache-control')) context.res.headers.set('cache-control', 'no-store');
  });
  const authenticate = authenticateWith(deps.operatorKey);
  for (const [path, methods] of Map.groupBy(routes, (route) => route.path)) {
    for (const route of methods)
      app.on(route.method, apiPrefix + path, limitBody, serve(route, authenticate, deps));
    app.all(apiPrefix + path, refuseMethod(methods));
  }
  let description: object | undefined;
  app.get('/api/openapi.json', (context) => {
    description ??= describeApi(deps);
    return context.json(description);
  });
  serveReference(app);
  app.notFound(() => new Problem('not_found', 'There is nothing at this address.').toResponse());
  app.onError((error, context) => problemOf(error, context.get(requestIdKey), deps).toResponse());
  return app;
}

/** Who, then whether there is such a workspace, then what: a caller without a key learns nothing else. */
function serve(route: Route, authenticate: Authenticate, deps: ManagementDeps): Handler {
  return async ({ req }) => {
    const principal = authenticate(req.header('authorization'));
    requireAccess(principal, route.access);
    const params = readParams(req);
    if (params.workspace_id !== undefined && (await findWorkspace(deps.pool, params.workspace_id)) === null) {
      throw notFound('workspace');
    }
    const query = readQuery(req, route.query);
    const body = route.body === undefined ? undefined : await readBody(req, route.body);
    return route.answer.respond(await route.handle({ principal, params, query, body }, deps));
  };
}

const limitBody = bodyLimit({
  maxSize: bodyBytesMax,
  onError: () => {
    // The rest of the body is still on its way, so the connection is of no more use.
    const headers = { connection: 'close' };
    throw new Problem('body_too_large', `The body may have at most ${bodyBytesMax} bytes.`, { headers });
  },
});

function refuseMethod(methods: readonly Route[]): Handler {
  const allow = methods.map(({ method }) => method.toUpperCase()).join(', ');
  return () => {
    throw new Problem('method_not_allowed', `This address takes ${allow}.`, { headers: { allow } });
  };
}

/** The one place where a failure of this plane becomes an answer. */
function problemOf(error: Error, requestId: string, { log }: ManagementDeps): Problem {
  if (error instanceof Problem) return error;
  if (isUnavailable(error)) {
    log.warn({ err: error, request_id: requestId }, 'a management call could not reach the database');
    return new Problem('unavailable', 'The database does not answer, or not in time. Try again in a moment.');
  }
  log.error({ err: error, request_id: requestId }, 'a management call failed');
  return new Problem('internal', 'The fault was recorded. Try again, and tell the operator when it stays.');
}
