import type { Browser } from '../../support/browser/browser.ts';
import { eventually } from '../../support/diagnostics.ts';
import type { TestService } from '../../support/service.ts';

/** Reads a stream of changes as a browser does, and keeps its events. */
export class ChangeReader {
  readonly status: number;
  readonly headers: Headers;
  readonly events: { readonly event: string; readonly data: Readonly<Record<string, unknown>> }[] = [];
  /** How the stream ended, if it did. */
  end: 'closed' | 'broken' | null = null;
  readonly #abort: AbortController;

  private constructor(response: Response, abort: AbortController) {
    this.status = response.status;
    this.headers = response.headers;
    this.#abort = abort;
    void this.#read(response).then(
      () => {
        this.end = 'closed';
      },
      () => {
        this.end = 'broken';
      },
    );
  }

  /** As a person, or with the operator key. */
  static async open(
    service: TestService,
    workspaceIds: string | readonly string[],
    person?: Browser,
  ): Promise<ChangeReader> {
    const abort = new AbortController();
    const cookie = [...(person?.cookies ?? [])].map((pair) => pair.join('=')).join('; ');
    const headers: Record<string, string> =
      person === undefined ? { Authorization: `Bearer ${service.operatorKey}` } : { Cookie: cookie };
    const response = await fetch(`${service.url}/api/v1/changes?workspace_ids=${workspaceIds}`, {
      headers,
      signal: abort.signal,
    });
    return new ChangeReader(response, abort);
  }

  /** The names that were told of a workspace so far, once each. */
  names(workspaceId: string): string[] {
    const told = this.events.filter(({ data }) => data.workspace_id === workspaceId);
    return [...new Set(told.flatMap(({ data }) => data.changed as string[]))].toSorted();
  }

  async until(isThere: (reader: this) => boolean): Promise<void> {
    await eventually(
      async () => this,
      () => isThere(this),
    );
  }

  close(): void {
    this.#abort.abort();
  }

  async #read(response: Response): Promise<void> {
    let text = '';
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk, { stream: true });
      const blocks = text.split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) this.#keep(block);
    }
  }

  #keep(block: string): void {
    const found = /^event: (\w+)\ndata: (.*)$/.exec(block);
    if (found !== null) this.events.push({ event: found[1] as string, data: JSON.parse(found[2] as string) });
  }
}
