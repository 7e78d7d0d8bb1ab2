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

/** The settings area: its files, and its one page for every other path, so that deep links work. */
export function createWebApp(deps: WebAppDeps) {
  const loaded = loadBuild(deps.folder);
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    // During a build, the first visitor waits for it.
    const files = await loaded;
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.writeHead(404, deps.headers).end();
    } else if (files === null) {
      response
        .writeHead(503, { 'Content-Type': 'text/plain; charset=utf-8', ...deps.headers })
        .end(absentText);
    } else {
      serve(request, response, files, deps);
    }
  };
}

function serve(
  request: IncomingMessage,
  response: ServerResponse,
  files: StaticFiles,
  deps: WebAppDeps,
): void {
  const path = pathOf(request.url ?? '/');
  // The page has placeholders, which differ from response to response.
  const file = path === pagePath ? undefined : files.get(path);
  if (file !== undefined) sendFile(request, response, file, { headers: deps.headers });
  else if (path.startsWith('/assets/'))
    response.writeHead(404, { ...securityHeaders, ...deps.headers }).end();
  else sendPage(request, response, files.get(pagePath)?.identity.toString('utf8') ?? '', deps);
}

function sendPage(
  request: IncomingMessage,
  response: ServerResponse,
  page: string,
  { publicUrl, headerPrefix, headers }: WebAppDeps,
): void {
  const nonce = randomBytes(16).toString('base64');
  const body = page
    .replaceAll('__NONCE__', nonce)
    .replaceAll('__PUBLIC_URL__', () => attributeText(publicUrl()))
    .replaceAll('__HEADER_PREFIX__', () => attributeText(headerPrefix));
  response.writeHead(200, {
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
