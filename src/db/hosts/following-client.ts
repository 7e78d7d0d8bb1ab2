import type { Socket } from 'node:net';
import { sql } from 'kysely';
import pg from 'pg';
import { ReadOnlyError } from '../errors.ts';
import { onlyRow } from '../sql.ts';
import { abandon } from './abandon.ts';
import type { DatabaseHosts, HostConnection, Place } from './database-hosts.ts';
import { pointAt } from './host-state.ts';

type Connected = ((error: Error) => void) | ((error: null, client: pg.Client) => void);

/** Internals of `pg`. */
interface Inside {
  readonly stream: Socket;
  on(event: 'parameterStatus', listener: (message: ParameterStatus) => void): void;
  on(event: 'errorMessage', listener: (message: { readonly code?: string }) => void): void;
}

interface ParameterStatus {
  readonly parameterName: string;
  readonly parameterValue: string;
}

/**
 * A connection that goes to the primary, wherever it is at that moment. The server is asked nothing more than without
 * hosts: since version 14 it says by itself whether it accepts writes.
 */
export class FollowingClient extends pg.Client implements HostConnection {
  readonly #hosts: DatabaseHosts;
  readonly #use: 'writing' | 'reading';
  readonly #parameters = new Map<string, string>();
  #place: Place | null = null;
  #isReadOnly = false;

  constructor(config: pg.ClientConfig, hosts: DatabaseHosts, use: 'writing' | 'reading') {
    super(config);
    this.#hosts = hosts;
    this.#use = use;
    this.#inside.on('parameterStatus', ({ parameterName, parameterValue }) =>
      this.#parameters.set(parameterName, parameterValue),
    );
    this.#inside.on('errorMessage', ({ code }) => {
      if (code === '25006') this.#onReadOnly();
    });
    // A lost connection may mean that another host is the primary now.
    this.on('error', () => this.doubt());
    this.on('end', () => this.#hosts.remove(this));
  }

  get place(): Place | null {
    return this.#place;
  }

  /** True when it must not be used again: it cannot write, or only reads until there is a primary. */
  get isSpent(): boolean {
    return this.#isReadOnly || this.#place?.isPrimary === false;
  }

  /** The next connection looks for the primary. For owners that drop a connection because it takes too long. */
  doubt(): void {
    if (this.#place?.isPrimary) this.#hosts.doubt(this.#place.host);
  }

  drop(reason: string): void {
    // Begins like the driver's own errors, so that it counts as a lost connection.
    this.#inside.stream.destroy(new Error(`Connection terminated: ${reason}`));
  }

  override connect(): Promise<pg.Client>;
  override connect(callback: Connected): void;
  override connect(callback?: Connected): Promise<pg.Client> | undefined {
    const connected = this.#follow();
    if (callback === undefined) return connected;
    const report = callback as (error: Error | null, client?: pg.Client) => void;
    connected.then(
      () => report(null, this),
      (error) => report(error),
    );
    return undefined;
  }

  async #follow(): Promise<pg.Client> {
    const place = await this.#hosts.find(this.#use);
    // Its owner abandoned it in the meantime.
    if (this.#inside.stream.destroyed) throw new Error('Connection terminated');
    this.#place = place;
    this.#hosts.add(this);
    pointAt(this, place.host);
    try {
      await super.connect();
      if (place.isPrimary && !(await this.#acceptsWrites())) throw new ReadOnlyError();
      return this;
    } catch (error) {
      this.doubt();
      this.#hosts.remove(this);
      abandon(this);
      throw error;
    }
  }

  async #acceptsWrites(): Promise<boolean> {
    const isStandby = this.#parameters.get('in_hot_standby');
    const isReadOnly = this.#parameters.get('default_transaction_read_only');
    if (isStandby !== undefined && isReadOnly !== undefined)
      return isStandby === 'off' && isReadOnly === 'off';
    // A pooler between us and the server may not pass these on.
    const answer = await onlyRow(
      this,
      sql<{
        readonly isReadOnly: boolean;
      }>`select current_setting('transaction_read_only')::boolean as "isReadOnly"`,
    );
    return !answer.isReadOnly;
  }

  #onReadOnly(): void {
    this.#isReadOnly = true;
    this.doubt();
  }

  get #inside(): Inside {
    return this.connection as unknown as Inside;
  }
}
