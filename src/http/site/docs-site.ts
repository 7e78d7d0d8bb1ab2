import type { IncomingMessage, ServerResponse } from 'node:http';
import { rejectionReasons } from '../../domain/rejection.ts';
import { pathOf } from '../paths.ts';
import { type StaticFiles, sendFile } from './static-files.ts';

const absentText = 'The documentation is not built. Run "npm run build:docs" and start the service again.\n';

/** Nothing inline, nothing from other hosts: every script, style and font is a file of the build. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');
const pageHeaders = {
  'Content-Security-Policy': contentSecurityPolicy,
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
};

/** The start of the path of the script that shows the API reference; a hash of its content follows. */
export const referenceScriptName = 'assets/scalar-';

/** Each reason used to have its own page, and old links to them must work. */
const formerReasonPages = new Map(
  rejectionReasons.map(({ code, anchor }) => [`/reasons/${code}`, `/docs/rejection-reasons#${anchor}`]),
);

/** The documentation at /docs: a page for every Markdown file, without the extension. */
export function createDocsSite(
  loaded: Promise<StaticFiles | null>,
  further: Readonly<Record<string, string>>,
) {
  const headers = { ...pageHeaders, ...further };
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const files = await loaded;
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.writeHead(404, further).end();
      return;
    }
    const path = pathBelowDocs(request.url ?? '');
    const moved = formerReasonPages.get(path.replace(/\.html$/, ''));
    if (moved !== undefined) {
      response.writeHead(301, { Location: moved, ...further }).end();
      return;
    }
    const file = files?.get(path) ?? files?.get(`${path === '' ? '/home' : path}.html`);
    const missing = files?.get('/not-found.html');
    if (file !== undefined) sendFile(request, response, file, { headers });
    else if (missing !== undefined) sendFile(request, response, missing, { status: 404, headers });
    else response.writeHead(503, { 'Content-Type': 'text/plain; charset=utf-8', ...further }).end(absentText);
  };
}

/** The path of the script that shows the API reference; null without a build. */
export function referenceScriptIn(files: StaticFiles | null): string | null {
  const found = files?.keys().find((path) => path.startsWith(`/${referenceScriptName}`));
  return found === undefined ? null : `/docs${found}`;
}

/** URLs with .md work too. */
function pathBelowDocs(target: string): string {
  return pathOf(target).slice('/docs'.length).replace(/\.md$/, '').replace(/\/$/, '');
}
