import { readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative } from 'node:path';

/** A file of the settings area in every form in which it is served. */
export interface WebFile {
  readonly contentType: string;
  readonly isHashed: boolean;
  readonly identity: Buffer;
  readonly br: Buffer | null;
  readonly gzip: Buffer | null;
}

export interface WebFiles {
  /** With placeholders that differ from answer to answer. */
  readonly page: string;
  /** By path, such as `/assets/start-4f3a.js`. */
  readonly files: ReadonlyMap<string, WebFile>;
}

const contentTypes: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  '.woff': 'font/woff',
};

/** A few megabytes at most, so all of it is kept in memory and no path of a request ever reaches the disk. */
export function loadWebFiles(folder: string): WebFiles {
  const bytes = new Map(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [`/${relative(folder, path).replaceAll('\\', '/')}`, readFileSync(path)]),
  );
  const files = new Map<string, WebFile>();
  for (const [path, identity] of bytes) {
    const contentType = contentTypes[extname(path)];
    if (contentType === undefined) continue;
    const [br = null, gzip = null] = [bytes.get(`${path}.br`), bytes.get(`${path}.gz`)];
    files.set(path, { contentType, isHashed: path.startsWith('/assets/'), identity, br, gzip });
  }
  return { page: bytes.get('/index.html')?.toString('utf8') ?? '', files };
}
