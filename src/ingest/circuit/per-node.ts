import type { IngestNode } from '../../db/ingest/ingest-database.ts';

/** One part of the data plane per node, made when the node is first met. Nodes are few and never forgotten. */
export class PerNode<Part> {
  readonly #make: (node: IngestNode) => Part;
  readonly #parts = new Map<IngestNode, Part>();

  constructor(make: (node: IngestNode) => Part) {
    this.#make = make;
  }

  of(node: IngestNode): Part {
    const known = this.#parts.get(node);
    if (known !== undefined) return known;
    const part = this.#make(node);
    this.#parts.set(node, part);
    return part;
  }

  get all(): Part[] {
    return [...this.#parts.values()];
  }
}
