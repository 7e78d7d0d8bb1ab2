import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pathOf } from '../paths.ts';
import { loadBuild, type StaticFiles, securityHeaders, sendFile } from './static-files.ts';

export interface WebAppDeps {
  /** Resolves when the build is ready; null when there is none. */
  readonly folder: Promise<string | null>;
  readonly publicUrl: () => string;
  readonly headerPrefix: string;
  /** Added to every response. */
  readonly headers: Readonly<Record<string, string>>;
}

const absentText =
  'The settings area is not built. Run "npm run build:web" and start the service again.\nThe API works: /api/reference\n';
const pagePath = '/index.html';
/** The paths of the router, which the build writes: `["/", "/w/$workspaceId", …]`. */
export const routesFile = 'routes.json';

interface WebApp {
  /** All but the page and the routes, which are not served as they are. */
  readonly files: StaticFiles;
  /** The page still has its placeholders: their values differ from response to response. */
  readonly page: string;
  /** Matches each path for which the router shows a page. */
  readonly routes: RegExp;
}

/** The settings area: its files, and its one page for every other path: 200 for those of the router, otherwise 404. */
export function createWebApp(deps: WebAppDeps) {
  const loaded = loadBuild(deps.folder)
    .then((files) => files && webAppIn(files))
    .catch(() => null);
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    // During a build, the first visitor waits for it.
    const app = await loaded;
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.writeHead(404, deps.headers).end();
    } else if (app === null) {
      response
        .writeHead(503, { 'Content-Type': 'text/plain; charset=utf-8', ...deps.headers })
        .end(absentText);
    } else {
      serve(request, response, app, deps);
    }
  };
}

function webAppIn(files: StaticFiles): WebApp | null {
  const [page, routes] = [pagePath, `/${routesFile}`].map((path) =>
    files.get(path)?.identity.toString('utf8'),
  );
  // A build of an older source has no routes.
  if (page === undefined || routes === undefined) return null;
  const served = new Map(files);
  served.delete(pagePath);
  served.delete(`/${routesFile}`);
  return { files: served, page, routes: patternOf(JSON.parse(routes)) };
}

/** Like the router, it ignores case and slashes at the end. */
function patternOf(routes: readonly string[]): RegExp {
  const patterns = routes.map((route) => route.replace(/\/$/, '').replaceAll(/\$\w+/g, '[^/]+'));
  return new RegExp(`^(?:${patterns.join('|')})/*$`, 'i');
}

function serve(
  request: IncomingMessage,
  response: ServerResponse,
  { files, page, routes }: WebApp,
  deps: WebAppDeps,
): void {
  const path = pathOf(request.url ?? '/');
  const file = files.get(path);
  if (file !== undefined) sendFile(request, response, file, { headers: deps.headers });
  else if (path.startsWith('/assets/'))
    response.writeHead(404, { ...securityHeaders, ...deps.headers }).end();
  else sendPage(request, response, page, routes.test(path) ? 200 : 404, deps);
}

function sendPage(
  request: IncomingMessage,
  response: ServerResponse,
  page: string,
  status: number,
  { publicUrl, headerPrefix, headers }: WebAppDeps,
): void {
  const nonce = randomBytes(16).toString('base64');
  const body = page
    .replaceAll('__NONCE__', nonce)
    .replaceAll('__PUBLIC_URL__', () => attributeText(publicUrl()))
    .replaceAll('__HEADER_PREFIX__', () => attributeText(headerPrefix));
  response.writeHead(status, {
    ...securityHeaders,
    ...headers,
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
    'Content-Security-Policy': contentSecurityPolicy(nonce),
    'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
  });
  response.end(request.method === 'HEAD' ? undefined : body);
}

/** Scripts come only from our own files. The nonce is for the style elements that Mantine creates at run time. */
function contentSecurityPolicy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}

function attributeText(text: string): string {
  return text.replace(/[&"'<>]/g, (character) => `&#${character.charCodeAt(0)};`);
}
