/**
 * How a worker and the supervisor of its host talk. Messages arrive in order and contain what a structured clone can copy;
 * a Buffer arrives as a Uint8Array.
 */
export interface HostLink {
  tell(topic: string, content: unknown): void;
  /** Rejects when the other side has stopped. */
  ask(topic: string, content: unknown): Promise<unknown>;
  onTell(topic: string, handle: (content: unknown) => void): void;
  onAsk(topic: string, handle: (content: unknown) => unknown): void;
}
