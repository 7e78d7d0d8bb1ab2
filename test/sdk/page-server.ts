import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Someone's website: pages of another origin than the service. */
export interface PageServer {
  readonly origin: string;
  readonly port: number;
  /** Adds a page and returns its URL. */
  add(path: string, html: string, headers?: Record<string, string>): string;
  stop(): void;
}

export async function startPageServer(): Promise<PageServer> {
  const pages = new Map<string, { html: string; headers: Record<string, string> }>();
  const server = createServer((request, response) => {
    const page = pages.get(request.url?.replace(/\?.*/, '') ?? '');
    response.writeHead(page ? 200 : 404, { 'Content-Type': 'text/html; charset=utf-8', ...page?.headers });
    response.end(page?.html);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  return {
    origin,
    port,
    add(path, html, headers = {}) {
      pages.set(path, { html, headers });
      return origin + path;
    },
    stop: () => server.close().closeAllConnections(),
  };
}

/** A page with a form. No script and no style is inline, so that it works under a strict policy. */
export function contactPage(head: string, form: string, more = ''): string {
  return `<!doctype html><meta charset="utf-8"><title>Contact</title>${head}
<form ${form}>
  <input name="name" value="Ada Lovelace"><input name="email" value="ada@analytical.engine">
  <textarea name="message"></textarea>${more}
  <button>Send</button>
</form>`;
}

/** Nothing but the service may be loaded and called. */
export function strictPolicy(service: string): Record<string, string> {
  return {
    'Content-Security-Policy': `default-src 'none'; script-src ${service}; connect-src ${service}`,
  };
}
