import type { ChangeEvent } from '../../../src/contract/live/names.ts';
import { fileAddress } from '../client.ts';

/** How a stream ended. `refused`: by the service or a proxy; `silent`: something on the way keeps it back. */
export type StreamEnd = 'closed' | 'offline' | 'signed out' | 'refused' | 'silent';

// A proxy that buffers responses passes on the headers and then nothing.
const firstEventMsMax = 10_000;
// The service sends something every 15 seconds.
const silenceMsMax = 40_000;

/** Reads the stream until it ends. Unlike EventSource, it tells a refusal from an outage. */
export async function readChanges(
  workspaceIds: readonly string[],
  signal: AbortSignal,
  onEvent: (event: ChangeEvent) => void,
): Promise<StreamEnd> {
  const reading = new AbortController();
  const abort = () => reading.abort();
  signal.addEventListener('abort', abort);
  let isSilent = false;
  const giveUp = () => {
    isSilent = true;
    abort();
  };
  let timer = setTimeout(giveUp, firstEventMsMax);
  try {
    const query = { workspace_ids: workspaceIds.join(',') };
    const response = await fetch(fileAddress('/changes', { query }), { signal: reading.signal });
    if (!response.ok || response.body === null) return response.status === 401 ? 'signed out' : 'refused';
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (let text = ''; ; ) {
      const { done, value } = await reader.read();
      if (done) return 'closed';
      clearTimeout(timer);
      timer = setTimeout(giveUp, silenceMsMax);
      const blocks = (text + value).split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) tell(block, onEvent);
    }
  } catch {
    return isSilent ? 'silent' : 'offline';
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
    abort();
  }
}

/** Skips comments. */
function tell(block: string, onEvent: (event: ChangeEvent) => void): void {
  const [, event, data] = /^event: (\w+)\ndata: (.*)$/.exec(block) ?? [];
  if (data !== undefined) onEvent({ event, data: JSON.parse(data) } as ChangeEvent);
}
