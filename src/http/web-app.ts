import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { loadWebFiles, type WebFile, type WebFiles } from './web-files.ts';

export interface WebAppDeps {
  /** Resolves when the build is there; null when there is none. */
  readonly folder: Promise<string | null>;
  readonly publicUrl: () => string;
  readonly headerPrefix: string;
}

const absentText =
  'The settings area is not built. Run "npm run build:web" and start the service again.\nThe API works: /api/reference\n';
const yearSeconds = 31_536_000;

const securityHeaders = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
};

/** The settings area: its files, and its one page for every other address, so that deep links work. */
export function createWebApp(deps: WebAppDeps) {
  const loaded = deps.folder.then((folder) => (folder === null ? null : loadWebFiles(folder)));
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    // While the build is under way the first visitor waits for it; he came to see it.
    const web = await loaded.catch(() => null);
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.writeHead(404).end();
    } else if (web === null) {
      response.writeHead(503, { 'Content-Type': 'text/plain; charset=utf-8' }).end(absentText);
    } else {
      serve(request, response, web, deps);
    }
  };
}

function serve(request: IncomingMessage, response: ServerResponse, web: WebFiles, deps: WebAppDeps): void {
  const path = (request.url ?? '/').replace(/[?#].*$/s, '');
  const file = web.files.get(path);
  if (file !== undefined) sendFile(request, response, file);
  else if (path.startsWith('/assets/')) response.writeHead(404, securityHeaders).end();
  else sendPage(request, response, web.page, deps);
}

function sendFile(request: IncomingMessage, response: ServerResponse, file: WebFile): void {
  const [encoding, body] = bestEncoding(request, file);
  response.writeHead(200, {
    ...securityHeaders,
    'Content-Type': file.contentType,
    'Content-Length': body.length,
    // A hashed name never means other content.
    'Cache-Control': file.isHashed ? `public, max-age=${yearSeconds}, immutable` : 'public, max-age=300',
    Vary: 'Accept-Encoding',
    ...(encoding === null ? {} : { 'Content-Encoding': encoding }),
  });
  response.end(request.method === 'HEAD' ? undefined : body);
}

function bestEncoding(request: IncomingMessage, file: WebFile): [string | null, Buffer] {
  const accepted = String(request.headers['accept-encoding'] ?? '');
  if (file.br !== null && /\bbr\b/.test(accepted)) return ['br', file.br];
  if (file.gzip !== null && /\bgzip\b/.test(accepted)) return ['gzip', file.gzip];
  return [null, file.identity];
}

function sendPage(
  request: IncomingMessage,
  response: ServerResponse,
  page: string,
  { publicUrl, headerPrefix }: WebAppDeps,
): void {
  const nonce = randomBytes(16).toString('base64');
  const body = page
    .replaceAll('__NONCE__', nonce)
    .replaceAll('__PUBLIC_URL__', () => attributeText(publicUrl()))
    .replaceAll('__HEADER_PREFIX__', () => attributeText(headerPrefix));
  response.writeHead(200, {
    ...securityHeaders,
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
    'Content-Security-Policy': contentSecurityPolicy(nonce),
    'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
  });
  response.end(request.method === 'HEAD' ? undefined : body);
}

/** Scripts come from files of ours only. The nonce is for the style elements that Mantine makes at run time. */
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
