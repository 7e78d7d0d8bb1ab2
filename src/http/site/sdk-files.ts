import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pathOf } from '../paths.ts';
import { type StaticFiles, securityHeaders, sendFile } from './static-files.ts';

/** The SDK under a name that changes with its content. */
interface SdkScript {
  readonly hashedPath: string;
  /** For the attribute `integrity` of the script element. */
  readonly integrity: string;
}

const folder = '/sdk';
const scriptPath = '/v1.js';
const absentText = 'The SDK is not built. Run "npm run build:sdk" and start the service again.\n';

/** Pages of every origin may load these files, also with `crossorigin`, which `integrity` needs. */
const pageHeaders = {
  'Access-Control-Allow-Origin': '*',
  'Cross-Origin-Resource-Policy': 'cross-origin',
};

/** The SDK for web pages at /sdk. */
export function createSdkFiles(
  built: Promise<StaticFiles | null>,
  further: Readonly<Record<string, string>>,
) {
  const loaded = built.then((files) => (files === null ? null : withHashedNames(files)));
  const headers = { ...pageHeaders, ...further };
  return {
    async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
      const files = await loaded;
      const isRead = request.method === 'GET' || request.method === 'HEAD';
      const file = isRead ? files?.get(pathOf(request.url ?? '').slice(folder.length)) : undefined;
      if (file !== undefined) sendFile(request, response, file, { headers });
      else if (files === null && isRead)
        response.writeHead(503, { 'Content-Type': 'text/plain; charset=utf-8', ...headers }).end(absentText);
      else response.writeHead(404, { ...securityHeaders, ...headers }).end();
    },
    /** Null without a build. */
    async script(): Promise<SdkScript | null> {
      const script = (await loaded)?.get(scriptPath)?.identity;
      if (script === undefined) return null;
      return {
        hashedPath: folder + hashedName(scriptPath, script),
        integrity: `sha384-${createHash('sha384').update(script).digest('base64')}`,
      };
    },
  };
}

/** Each script under two names: one that stays, and one that says which version it is. */
function withHashedNames(files: StaticFiles): StaticFiles {
  const both = new Map(files);
  for (const [path, file] of files) {
    if (/\.m?js$/.test(path)) both.set(hashedName(path, file.identity), { ...file, isHashed: true });
  }
  return both;
}

/** Such as `/v1.5f0c3a9be2d1.js`. */
function hashedName(path: string, content: Buffer): string {
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 12);
  return path.replace(/(?=\.m?js$)/, `.${hash}`);
}
