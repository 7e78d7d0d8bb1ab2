import type { HostLink } from './link.ts';

/** The supervisor's side of what workers tell each other: passes each message on to all others, without reading it. */
export class Relay {
  readonly #topics: readonly string[];
  readonly #links = new Map<number, HostLink>();

  constructor(topics: readonly string[]) {
    this.#topics = topics;
  }

  join(workerId: number, link: HostLink): void {
    this.#links.set(workerId, link);
    for (const topic of this.#topics)
      link.onTell(topic, (content) => {
        for (const [otherId, other] of this.#links) if (otherId !== workerId) other.tell(topic, content);
      });
  }

  leave(workerId: number): void {
    this.#links.delete(workerId);
  }
}
