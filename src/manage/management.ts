import { type Handler, Hono } from 'hono';
import { apiPrefix } from '../contract/address.ts';
import { isUnavailable } from '../db/unavailable.ts';
import { Compression } from '../http/compression/compression.ts';
import { Precompressed } from '../http/compression/precompressed.ts';
import { nextRequestId } from '../http/request-id.ts';
import { transportSecurity } from '../http/transport-security.ts';
import { serveAuth } from './accounts/auth-calls.ts';
import { authenticateWith } from './calls/access.ts';
import { Problem } from './calls/problem.ts';
import { limitBody } from './calls/request-input.ts';
import type { Route } from './calls/route.ts';
import { isCompressibleKey, type ManagementEnv, requestIdKey, serve } from './calls/serve.ts';
import type { ManagementDeps } from './deps.ts';
import { loggedPath, serveOneClick } from './destinations/recipients/one-click.ts';
import { describeApi } from './openapi/openapi.ts';
import { serveReference } from './openapi/reference.ts';
import { OutageAccess } from './operator/health/outage-access.ts';
import { routes } from './routes.ts';

/** The control plane: everything under /api except the ingest paths, which are served before it, and links in emails. */
export function createManagement(deps: ManagementDeps): Hono<ManagementEnv> {
  const app = new Hono<ManagementEnv>();
  const compression = new Compression();
  app.use(async (context, next) => {
    const requestId = nextRequestId();
    context.set(requestIdKey, requestId);
    await next();
    const { method } = context.req;
    const path = loggedPath(context.req.path);
    deps.log.debug({ request_id: requestId, method, path, status: context.res.status }, 'management request');
    context.res.headers.set('x-request-id', requestId);
    context.res.headers.set('x-content-type-options', 'nosniff');
    for (const [name, value] of Object.entries(transportSecurity(deps.publicUrl())))
      context.res.headers.set(name, value);
    if (!context.res.headers.has('cache-control')) context.res.headers.set('cache-control', 'no-store');
  });
  app.use(async (context, next) => {
    await next();
    if (context.get(isCompressibleKey) !== true) return;
    const answer = await compression.of(context.res, context.req.raw);
    if (answer === context.res) return;
    // Otherwise the headers of the previous response are added again.
    context.res = undefined;
    context.res = answer;
  });
  const outageAccess = new OutageAccess(authenticateWith(deps), deps);
  for (const [path, methods] of Map.groupBy(routes, ({ declaration }) => declaration.path)) {
    for (const route of methods)
      app.on(
        route.declaration.method,
        apiPrefix + path,
        limitBody,
        serve(route, outageAccess.for(route.declaration.access), deps),
      );
    app.all(apiPrefix + path, refuseMethod(methods));
  }
  serveAuth(app, deps);
  serveOneClick(app, deps);
  let description: Precompressed | undefined;
  app.get('/api/openapi.json', (context) => {
    description ??= new Precompressed(JSON.stringify(describeApi(deps)), 'application/json');
    return description.respond(context.req.raw);
  });
  serveReference(app, deps.referenceScript);
  app.notFound(() => new Problem('not_found', 'This URL does not exist.').toResponse());
  app.onError((error, context) => problemOf(error, context.get(requestIdKey), deps).toResponse());
  return app;
}

function refuseMethod(methods: readonly Route[]): Handler {
  const allow = methods.map(({ declaration }) => declaration.method.toUpperCase()).join(', ');
  return () => {
    throw new Problem('method_not_allowed', `This URL supports ${allow}.`, { headers: { allow } });
  };
}

/** The only place where a failure of this plane becomes a response. */
function problemOf(error: Error, requestId: string, { log }: ManagementDeps): Problem {
  if (error instanceof Problem) return error;
  if (isUnavailable(error)) {
    log.warn({ err: error, request_id: requestId }, 'management request failed: database unavailable');
    return new Problem('unavailable', 'The database is unavailable or too slow. Try again in a moment.');
  }
  log.error({ err: error, request_id: requestId }, 'management request failed');
  return new Problem(
    'internal',
    'The error was logged. Try again, and tell the operator if it happens again.',
  );
}
