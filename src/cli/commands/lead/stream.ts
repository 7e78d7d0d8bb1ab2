import type { ExportFormat } from '../../../contract/leads/lead.ts';
import { escapeSteering, safeText } from '../../terminal/safe-text.ts';

type Chunks = AsyncIterable<string | Uint8Array>;

/** Turns lines of JSON into one array, holding only a chunk at a time. */
export async function* asArray(chunks: Chunks): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let isFirst = true;
  let rest = '';
  yield '[';
  for await (const chunk of chunks) {
    const lines = (rest + textOf(decoder, chunk)).split('\n');
    rest = lines.pop() ?? '';
    if (lines.length === 0) continue;
    yield `${isFirst ? '\n' : ',\n'}${lines.join(',\n')}`;
    isFirst = false;
  }
  if (rest !== '') yield `${isFirst ? '\n' : ',\n'}${rest}`;
  yield '\n]\n';
}

/** For output to a terminal: what senders wrote must not control it. JSON keeps its value, CSV shows a placeholder. */
export async function* forTerminal(chunks: Chunks, format: ExportFormat | 'json'): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  const safe = format === 'csv' ? (text: string) => withoutColour(text) : escapeSteering;
  for await (const chunk of chunks) yield safe(textOf(decoder, chunk));
}

function withoutColour(text: string): string {
  return safeText(text.replaceAll('\r\n', '\n').replaceAll('\x1b', '�'));
}

function textOf(decoder: InstanceType<typeof TextDecoder>, chunk: string | Uint8Array): string {
  return typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true });
}
