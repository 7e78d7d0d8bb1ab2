import { readdirSync, readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, join, relative } from 'node:path';
import { chosenEncoding, type Encoding } from '../compression/encoding.ts';

/** A file of a build in every encoding. */
export interface StaticFile {
  readonly contentType: string;
  readonly isHashed: boolean;
  readonly identity: Buffer;
  readonly br: Buffer | null;
  readonly gzip: Buffer | null;
}

/** By path, such as `/assets/start-4f3a.js`. */
export type StaticFiles = ReadonlyMap<string, StaticFile>;

const contentTypes: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.txt': 'text/plain; charset=utf-8',
  '.ts': 'text/plain; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
  '.woff': 'font/woff',
};
const yearSeconds = 31_536_000;

export const securityHeaders = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
};

/** Null when there is no build, or it cannot be read. */
export function loadBuild(folder: Promise<string | null>): Promise<StaticFiles | null> {
  return folder.then((path) => (path === null ? null : loadFiles(path))).catch(() => null);
}

/** A few megabytes, so all files are kept in memory and no request path ever reaches the disk. */
function loadFiles(folder: string): StaticFiles {
  const bytes = new Map(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [`/${relative(folder, path).replaceAll('\\', '/')}`, readFileSync(path)]),
  );
  const files = new Map<string, StaticFile>();
  for (const [path, identity] of bytes) {
    const contentType = contentTypes[extname(path)];
    if (contentType === undefined) continue;
    const [br = null, gzip = null] = [bytes.get(`${path}.br`), bytes.get(`${path}.gz`)];
    files.set(path, { contentType, isHashed: path.startsWith('/assets/'), identity, br, gzip });
  }
  return files;
}

export function sendFile(
  request: IncomingMessage,
  response: ServerResponse,
  file: StaticFile,
  { status = 200, headers = {} }: { status?: number; headers?: Readonly<Record<string, string>> } = {},
): void {
  const [encoding, body] = bestEncoding(request, file);
  response.writeHead(status, {
    ...securityHeaders,
    'Content-Type': file.contentType,
    'Content-Length': body.length,
    // The content of a hashed name never changes.
    'Cache-Control': file.isHashed ? `public, max-age=${yearSeconds}, immutable` : 'public, max-age=300',
    Vary: 'Accept-Encoding',
    ...(encoding === null ? {} : { 'Content-Encoding': encoding }),
    ...headers,
  });
  response.end(request.method === 'HEAD' ? undefined : body);
}

function bestEncoding(request: IncomingMessage, file: StaticFile): [Encoding | null, Buffer] {
  const offered = (['br', 'gzip'] as const).filter((encoding) => file[encoding] !== null);
  const chosen = chosenEncoding(request.headers['accept-encoding'], offered);
  return [chosen, (chosen && file[chosen]) ?? file.identity];
}
