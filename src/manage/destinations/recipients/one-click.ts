import type { Hono } from 'hono';
import { Problem } from '../../calls/problem.ts';
import { limitBody } from '../../calls/request-input.ts';
import { clientOf, type ManagementEnv } from '../../calls/serve.ts';
import type { ManagementDeps } from '../../deps.ts';
import { countLinkUse } from './link-limit.ts';
import { unsubscribe } from './links.ts';

const path = '/unsubscribe/:token';
// The URL is a secret.
const headers = { 'referrer-policy': 'no-referrer' };
const done = 'You will get no more of these emails.\n';

/**
 * Unsubscribes with one click in an email program (RFC 8058): its provider posts to the URL of `List-Unsubscribe`, without
 * cookies and from anywhere. The body is always the same, so it is not read. Link scanners open URLs, so a GET only leads
 * to the page where people decide. The response does not say whether there is such a link.
 */
export function serveOneClick(app: Hono<ManagementEnv>, deps: ManagementDeps): void {
  app.post(path, limitBody, async (context) => {
    const { address } = clientOf(context, deps);
    await countLinkUse(deps, 'oneClick', address);
    await unsubscribe(deps, context.req.param('token'), address);
    return context.text(done, 200, headers);
  });
  app.get(path, (context) => {
    const token = encodeURIComponent(context.req.param('token'));
    return new Response(null, {
      status: 302,
      headers: { ...headers, location: `/emails/unsubscribe#token=${token}` },
    });
  });
  app.all(path, () => {
    throw new Problem('method_not_allowed', 'This URL supports GET, POST.', {
      headers: { ...headers, allow: 'GET, POST' },
    });
  });
}

/** The path of a request for the log, without what is secret in it. */
export function loggedPath(asked: string): string {
  return asked.replace(/^\/unsubscribe\/.+$/, '/unsubscribe/…');
}
