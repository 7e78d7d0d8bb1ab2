const statusAt = 'HTTP/1.1 '.length;
const lengthHeader = /\r\ncontent-length: *(\d+)/i;

/**
 * The status of a response, or null while it is incomplete. The bundled generator understands only this much of HTTP: one
 * response at a time, with a Content-Length, one character per byte.
 */
export function statusOfAnswer(text: string): number | null {
  const headEnd = text.indexOf('\r\n\r\n');
  if (headEnd < 0) return null;
  const match = lengthHeader.exec(text);
  if (match === null || match.index > headEnd) throw new Error(`A response without Content-Length:\n${text}`);
  const isComplete = text.length >= headEnd + 4 + Number(match[1]);
  return isComplete ? Number(text.slice(statusAt, statusAt + 3)) : null;
}
