import { isUtf8 } from 'node:buffer';
import type { SignatureDebugInput } from '../../contract/signature-debug.ts';
import { readRawBytes } from '../../domain/signature-debug/paste/raw-request.ts';
import { UnreadablePaste } from '../../domain/signature-debug/request.ts';
import { CliError } from '../exit.ts';
import { pasteKind } from './pasted-request.ts';

/** A paste in the form that the service's debugger accepts. JSON cannot carry binary data, so that is sent in parts. */
export function subjectOf(request: Buffer, headerPrefix: string): SignatureDebugInput {
  if (isUtf8(request)) return { [pasteKind(request)]: request.toString('utf8') };
  try {
    const { timestamp, signature, contentType, body } = readRawBytes(request, headerPrefix);
    return {
      ...(timestamp.value === null ? {} : { timestamp: timestamp.value }),
      ...(signature.value === null ? {} : { signature: signature.value }),
      ...(contentType === null ? {} : { content_type: contentType }),
      body_base64: body.toString('base64'),
    };
  } catch (error) {
    if (error instanceof UnreadablePaste) throw new CliError('usage', `The request: ${error.message}.`);
    throw error;
  }
}
