import type { SignatureDebugAnswer } from '../../contract/signature-debug.ts';
import { debugSignature } from '../../domain/signature-debug/debug.ts';
import { readCurlCommand } from '../../domain/signature-debug/paste/curl-command.ts';
import { readRawBytes } from '../../domain/signature-debug/paste/raw-request.ts';
import { judgedTime } from '../../domain/signature-debug/paste/sent-time.ts';
import { type DebugRequest, UnreadablePaste } from '../../domain/signature-debug/request.ts';
import { viewSignatureDebug } from '../../manage/signature-debug/view.ts';
import { CliError } from '../exit.ts';
import { pasteKind } from './pasted-request.ts';

export interface OfflineCase {
  readonly request: Buffer;
  readonly secret: string;
  readonly headerPrefix: string;
  /** When the request arrived; default: its `Date` header, or now. */
  readonly receivedAt: string | undefined;
}

/** Runs the signature debugger on this machine, without sending anything. */
export function diagnoseOffline({
  request: pasted,
  secret,
  headerPrefix,
  receivedAt,
}: OfflineCase): SignatureDebugAnswer {
  const given = receivedAt === undefined ? undefined : Date.parse(receivedAt);
  if (Number.isNaN(given))
    throw new CliError('usage', `${receivedAt} is not a time: write it like 2026-11-15T08:00:00Z.`);
  const source = pasteKind(pasted);
  const request = readable(pasted, source, headerPrefix);
  const time = judgedTime(given, request, Date.now());
  const secrets = [{ kind: 'current', value: secret }] as const;
  const found = debugSignature({ request, secrets, at: time.at, headerPrefix, slug: null });
  return viewSignatureDebug(found, { source, request, ...time, requestId: null }, secrets, headerPrefix);
}

function readable(request: Buffer, source: ReturnType<typeof pasteKind>, prefix: string): DebugRequest {
  try {
    return source === 'curl'
      ? readCurlCommand(request.toString('utf8'), prefix)
      : readRawBytes(request, prefix);
  } catch (error) {
    if (error instanceof UnreadablePaste) throw new CliError('usage', `The request: ${error.message}.`);
    throw error;
  }
}
