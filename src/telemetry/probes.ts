import type { IncomingMessage, ServerResponse } from 'node:http';

export interface ProbesDeps {
  /** Added to every response. */
  readonly headers: Readonly<Record<string, string>>;
  /** Why the service cannot do its work now, or null when it can. */
  readonly notReady: () => Promise<string | null>;
}

/** /livez and /readyz, which every process answers for itself. False when the request is for something else. */
export function answerProbe(
  request: IncomingMessage,
  response: ServerResponse,
  { headers, notReady }: ProbesDeps,
): boolean {
  const path = pathWithoutQuery(request);
  if (path === '/livez') {
    sendText(response, 200, 'alive\n', headers);
    return true;
  }
  if (path !== '/readyz') return false;
  void notReady().then((reason) =>
    sendText(response, reason === null ? 200 : 503, `${reason ?? 'ready'}\n`, headers),
  );
  return true;
}

/** Probes may add a query. Without a match, the settings area would answer 200 whatever the state. */
export function pathWithoutQuery({ url }: IncomingMessage): string | undefined {
  return url?.replace(/\?.*$/s, '');
}

export function sendText(
  response: ServerResponse,
  status: number,
  body: string,
  further: Readonly<Record<string, string>>,
): void {
  const headers = { 'Content-Type': 'text/plain', 'Cache-Control': 'no-store', ...further };
  response.writeHead(status, headers).end(body);
}
