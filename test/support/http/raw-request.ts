// Requests are strings with one character per byte.

/** The name in leads that must never be stored. */
export const smuggledMark = 'smuggled';
export const lead = '{"name":"Ada"}';
export const crlf = '\r\n';

export interface MalformedTarget {
  readonly path: string;
  /** Null for requests whose content does not matter. */
  readonly token: string | null;
}

export function head({ path, token }: MalformedTarget, lines: readonly string[]): string {
  return [
    `POST ${path} HTTP/1.1`,
    'Host: localhost',
    ...(token === null ? [] : [`Authorization: Bearer ${token}`, 'Content-Type: application/json']),
    ...lines,
    '',
    '',
  ].join(crlf);
}

export function whole(target: MalformedTarget, body = lead): string {
  return head(target, [`Content-Length: ${body.length}`]) + body;
}

export function hidden(target: MalformedTarget): string {
  return whole(target, `{"name":"${smuggledMark}"}`);
}

export function chunked(body: string): string {
  return `${body.length.toString(16)}${crlf}${body}${crlf}0${crlf}${crlf}`;
}
