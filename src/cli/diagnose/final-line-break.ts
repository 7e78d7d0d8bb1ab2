import type { SignatureDebugAnswer } from '../../contract/signature-debug.ts';
import { splitRaw } from '../../domain/signature-debug/paste/raw-request.ts';

/** What the line break at the end of a file means for the request saved in it. */
interface FinalLineBreak {
  readonly in_file: 'LF' | 'CRLF';
  readonly bytes_with: number;
  readonly bytes_without: number;
  /** The body that the service sees, as far as the file tells. */
  readonly service_sees: 'with' | 'without' | 'unknown';
  /** The body that the result is about. */
  readonly judged: 'with' | 'without';
  /** The body that the signature matches; null if it matches none. */
  readonly signature_covers: 'with' | 'without' | 'other_line_break' | null;
  readonly text: string;
}

export type Diagnosis = SignatureDebugAnswer & { readonly final_line_break: FinalLineBreak | null };

type Ask = (request: Buffer) => Promise<SignatureDebugAnswer>;

interface Ending {
  readonly name: FinalLineBreak['in_file'];
  readonly head: string;
  readonly body: Buffer;
  readonly bare: Buffer;
  readonly contentLength: number | null;
}

/**
 * Editors end files with a line break that was never sent, so a saved request is checked without it unless Content-Length
 * counts it. The other bodies are tried too, to say which one the signature matches.
 */
export async function diagnoseRaw(request: Buffer, ask: Ask): Promise<Diagnosis> {
  const ending = endingOf(request);
  if (ending === null) return { ...(await ask(request)), final_line_break: null };
  const { name, body, bare, contentLength } = ending;
  const service_sees =
    contentLength === bare.length ? 'without' : contentLength === body.length ? 'with' : 'unknown';
  const judged = service_sees === 'with' ? 'with' : 'without';
  const cutBytes = judged === 'with' ? 0 : body.length - bare.length;
  const found = await ask(request.subarray(0, request.length - cutBytes));
  const others = [
    [judged === 'with' ? 'without' : 'with', judged === 'with' ? bare : body],
    ['other_line_break', Buffer.concat([bare, Buffer.from(name === 'LF' ? '\r\n' : '\n')])],
  ] as const;
  let signature_covers: FinalLineBreak['signature_covers'] = isSigned(found) ? judged : null;
  for (const [which, other] of isComparable(found) ? others : []) {
    // A signature matches at most one body.
    if (signature_covers === null && isSigned(await ask(withBody(ending, other)))) signature_covers = which;
  }
  const facts = {
    in_file: name,
    bytes_with: body.length,
    bytes_without: bare.length,
    service_sees,
    judged,
    signature_covers,
  } as const;
  const text = `${seenText(facts, contentLength)}${isComparable(found) ? ` ${coveredText(facts)}` : ''}`;
  return { ...found, final_line_break: { ...facts, text } };
}

/** Null if the file does not end with a line break, or if its body is chunked, which says where it ends. */
function endingOf(request: Buffer): Ending | null {
  const { head, body } = splitRaw(request);
  const name = body.at(-1) !== 0x0a ? null : body.at(-2) === 0x0d ? 'CRLF' : 'LF';
  if (name === null || /^transfer-encoding:.*chunked/im.test(head)) return null;
  const declared = /^content-length:[ \t]*(\d{1,9})[ \t]*\r?$/im.exec(head)?.[1];
  const bare = body.subarray(0, body.length - (name === 'LF' ? 1 : 2));
  return { name, head, body, bare, contentLength: declared === undefined ? null : Number(declared) };
}

/** Without Content-Length, which would cut the body again. */
function withBody({ head }: Ending, body: Buffer): Buffer {
  const lines = head.split(/\r?\n/).filter((line) => !/^content-length:/i.test(line));
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), body]);
}

const signatureStatus = ({ checks }: SignatureDebugAnswer) =>
  checks.find(({ code }) => code === 'signature_match')?.status;
const isSigned = (found: SignatureDebugAnswer) => signatureStatus(found) === 'passed';
const isComparable = (found: SignatureDebugAnswer) => isSigned(found) || signatureStatus(found) === 'failed';

type Facts = Omit<FinalLineBreak, 'text'>;

function seenText(facts: Facts, contentLength: number | null): string {
  const { in_file, service_sees, bytes_with, bytes_without } = facts;
  const start = `The file ends with a line break (${in_file}).`;
  if (service_sees !== 'unknown')
    return `${start} Content-Length is ${contentLength}, so the service sees the body ${service_sees} it.`;
  const why = contentLength === null ? 'there is no Content-Length' : `Content-Length is ${contentLength}`;
  return [
    `${start} The service sees exactly what the sender sent: ${bytes_with} bytes if the sender sent the line break,`,
    `${bytes_without} if your editor added it. The file does not show which, because ${why}.`,
    `Checked without the line break.`,
  ].join(' ');
}

function coveredText({ service_sees, judged, signature_covers, bytes_with }: Facts): string {
  if (signature_covers === null) return 'The signature matches neither with it nor without it.';
  if (signature_covers === 'other_line_break')
    return 'The signature matches only a body that ends with the other kind of line break.';
  const isKnown = service_sees !== 'unknown';
  if (signature_covers === judged && isKnown) return `The signature matches the body ${judged} it.`;
  if (signature_covers === judged)
    return `The signature matches the body without it; if the sender sent it, the service sees ${bytes_with} bytes and rejects the request.`;
  if (signature_covers === 'without')
    return 'The signature matches only without it: the sender sent a line break that was not signed.';
  return isKnown
    ? 'The signature matches only with it: the sender signed a line break that was not sent.'
    : 'The signature matches only with it: if the sender sent it, the service accepts the signature.';
}
