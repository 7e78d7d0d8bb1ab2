import type { ServerResponse } from 'node:http';
import { rawReadableHeaders } from './cross-origin.ts';

/** Every response of the ingest paths. All rejections are the same bytes, whatever the cause. */
const rejectedBody = '{"status":"rejected"}';
const rejectedLength = String(rejectedBody.length);
const refusedBody = '{"status":"refused"}';
const refusedLength = String(refusedBody.length);
const notFoundBody = '{"status":"not_found"}';
const notFoundLength = String(notFoundBody.length);
const goneBody =
  '{"error":"gone","detail":"This path was retired on 2026-06-25. Use /api/v1/ingest or /api/v1/ingest/:slug."}';
const goneLength = String(Buffer.byteLength(goneBody));
// {"submission_id":"…"} around a UUID.
const acceptedLength = String('{"submission_id":""}'.length + 36);
export const keepAliveTimeoutMs = 65_000;
const keptConnection = `Connection: keep-alive\r\nKeep-Alive: timeout=${keepAliveTimeoutMs / 1000}`;
const problemType = 'application/problem+json';
// Matches src/contract/problem.ts.
const badRequestBody = JSON.stringify({
  type: 'urn:leadgate:problem:bad_request',
  title: 'The request is not valid HTTP.',
  status: 400,
  code: 'bad_request',
  detail: 'The request line, a header or the framing is malformed.',
});

const internalBody = JSON.stringify({
  type: 'urn:leadgate:problem:internal',
  title: 'Something went wrong on our side.',
  status: 500,
  code: 'internal',
  detail: 'The error was logged. Try again, and tell the operator if it happens again.',
});

const unavailableBody = JSON.stringify({
  type: 'urn:leadgate:problem:unavailable',
  title: 'The service cannot do this right now.',
  status: 503,
  code: 'unavailable',
  detail: 'The process that serves this is being restarted. Try again in a few seconds.',
});

export function answerAccepted(response: ServerResponse, requestId: string, submissionId: string): void {
  response.writeHead(202, headers(acceptedLength, requestId));
  response.end(`{"submission_id":"${submissionId}"}`);
}

export function answerRejected(response: ServerResponse, requestId: string): void {
  response.writeHead(200, headers(rejectedLength, requestId));
  response.end(rejectedBody);
}

export function answerGone(response: ServerResponse, requestId: string): void {
  response.writeHead(410, headers(goneLength, requestId));
  response.end(goneBody);
}

/** For a page that gets a challenge or token. */
export function answerIssued(response: ServerResponse, requestId: string, issued: object): void {
  const body = JSON.stringify(issued);
  response.writeHead(201, headers(String(Buffer.byteLength(body)), requestId));
  response.end(body);
}

/** For a page that gets no challenge or token, whatever the cause. */
export function answerRefused(response: ServerResponse, requestId: string): void {
  response.writeHead(403, headers(refusedLength, requestId));
  response.end(refusedBody);
}

/** For a browser without script: it shows that page next. */
export function answerSeeOther(response: ServerResponse, requestId: string, url: string): void {
  response.writeHead(303, ['Location', url, 'Content-Length', '0', 'X-Request-Id', requestId]);
  response.end();
}

/** For a page that uses a path which does not exist. */
export function answerNotFound(response: ServerResponse, requestId: string): void {
  response.writeHead(404, headers(notFoundLength, requestId));
  response.end(notFoundBody);
}

/** When a response is sent, and whether its connection closes after it. */
export interface Closing {
  readonly at: number;
  readonly isLast: boolean;
}

/** The same two, byte for byte, for requests that Node's parser has not seen. */
export function plainAccepted(requestId: string, submissionId: string, closing: Closing): string {
  return `${acceptedStart}${requestId}${headEnd(closing)}{"submission_id":"${submissionId}"}`;
}

export function plainRejected(requestId: string, closing: Closing): string {
  return `${rejectedStart}${requestId}${headEnd(closing)}${rejectedBody}`;
}

const acceptedStart = headStart('202 Accepted', acceptedLength);
const rejectedStart = headStart('200 OK', rejectedLength);

function headStart(status: string, length: string): string {
  return `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\nX-Request-Id: `;
}

/** Made once a second, because a text of few parts is quicker to put together. */
const headEnds = { second: Number.NaN, ofLast: '', ofOthers: '' };

function headEnd({ at, isLast }: Closing): string {
  const second = Math.floor(at / 1000);
  if (second !== headEnds.second) {
    const date = `\r\nDate: ${new Date(at).toUTCString()}`;
    headEnds.ofLast = `${date}\r\nConnection: close\r\n\r\n`;
    headEnds.ofOthers = `${date}\r\n${keptConnection}\r\n\r\n`;
    headEnds.second = second;
  }
  return isLast ? headEnds.ofLast : headEnds.ofOthers;
}

/** For requests that Node's parser refuses, which have no response object. */
export function rawRejected(requestId: string): string {
  return raw('200 OK', rejectedBody, rejectedLength, requestId);
}

/** The same two for web pages. */
export function rawRejectedForPages(requestId: string): string {
  return raw('200 OK', rejectedBody, rejectedLength, requestId, 'application/json', rawReadableHeaders);
}

export function rawRefused(requestId: string): string {
  return raw('403 Forbidden', refusedBody, refusedLength, requestId, 'application/json', rawReadableHeaders);
}

export function rawGone(requestId: string): string {
  return raw('410 Gone', goneBody, goneLength, requestId);
}

/** For all paths but the ingest paths: a person or an API client reads it. */
export function rawBadRequest(requestId: string): string {
  return raw('400 Bad Request', badRequestBody, String(badRequestBody.length), requestId, problemType);
}

/** The same for a request that Node can parse but that is not a valid web request. */
export function badRequest(requestId: string): Response {
  return problem(400, badRequestBody, requestId);
}

/** The same, for a process that forwards the request. */
export function answerBadRequest(response: ServerResponse, requestId: string): void {
  answerProblem(response, 400, badRequestBody, requestId);
}

/** For a request that no other process can serve now. */
export function answerUnavailable(response: ServerResponse, requestId: string): void {
  answerProblem(response, 503, unavailableBody, requestId);
}

/** For what a handler throws that is not an error it knows. The cause is in the log. */
export function internalError(requestId: string): Response {
  return problem(500, internalBody, requestId);
}

function problem(status: number, body: string, requestId: string): Response {
  return new Response(body, { status, headers: problemHeaders(requestId) });
}

function answerProblem(response: ServerResponse, status: number, body: string, requestId: string): void {
  response.writeHead(status, problemHeaders(requestId)).end(body);
}

function problemHeaders(requestId: string): Record<string, string> {
  return { 'Content-Type': problemType, 'X-Request-Id': requestId, 'Cache-Control': 'no-store' };
}

function headers(length: string, requestId: string): string[] {
  return ['Content-Type', 'application/json', 'Content-Length', length, 'X-Request-Id', requestId];
}

function raw(
  status: string,
  body: string,
  length: string,
  requestId: string,
  type = 'application/json',
  others: readonly string[] = [],
): string {
  const lines = [
    `HTTP/1.1 ${status}`,
    ...others,
    `Content-Type: ${type}`,
    `Content-Length: ${length}`,
    `X-Request-Id: ${requestId}`,
    `Date: ${new Date().toUTCString()}`,
    'Connection: close',
  ];
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}
