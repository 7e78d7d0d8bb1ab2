import type { IncomingMessage } from 'node:http';
import type { Surface } from '../domain/surface.ts';
import { nextRequestId } from '../http/request-id.ts';
import type { Clock } from '../time/clock.ts';
import type { Directory } from './directory/directory.ts';
import type { HeaderReader, IngestHeaders } from './headers.ts';
import { type Identity, type IngestDestination, identify } from './identity.ts';

export interface ArriveDeps {
  readonly directory: Directory;
  readonly readHeaders: HeaderReader;
  readonly clock: Clock;
}

/** The head of a request, before its body. */
class Arrival {
  declare protected readonly stage: 'arrived';
  readonly requestId: string;
  readonly at: number;
  readonly surface: Surface;
  readonly method: string;
  readonly headers: IngestHeaders;
  readonly identity: Identity;

  constructor(request: IncomingMessage, destination: IngestDestination, deps: ArriveDeps) {
    this.requestId = nextRequestId();
    this.at = deps.clock.now();
    this.surface = destination.kind;
    this.method = request.method ?? '';
    this.headers = deps.readHeaders(request);
    this.identity = identify(destination, this.headers, deps.directory);
  }
}

export type { Arrival };

export function arrive(request: IncomingMessage, destination: IngestDestination, deps: ArriveDeps): Arrival {
  return new Arrival(request, destination, deps);
}
