import type pg from 'pg';
import type {
  DestinationChanges,
  NewDestination,
} from '../../../contract/destinations/destination-settings.ts';
import type { CommonSettings, DestinationRecord } from '../../../db/deliver/destinations.ts';
import type { KindSettings } from '../../../domain/destination/kind/kind-settings.ts';
import type { Principal } from '../../calls/access.ts';
import type { ManagementDeps } from '../../deps.ts';

/** What only its kind decides about a destination. */
type OwnSettings = KindSettings &
  Pick<CommonSettings, 'mapping' | 'headersCiphertext' | 'perSecond'> & {
    /** In plain text; it is stored encrypted. */
    readonly secret: string;
  };

type ChangedSettings = Omit<OwnSettings, 'secret'> & {
  readonly kind: OwnSettings['kind'];
} & {
  /** Null if it stays. */
  readonly secret: string | null;
  /** True if it may work now although it failed before. */
  readonly isOtherPlace: boolean;
};

/** Who wants to save a destination, and where. */
interface Saver {
  readonly principal: Principal;
  readonly workspaceId: string;
}

/** Who saves a destination. */
export interface Saving {
  readonly client: pg.PoolClient;
  readonly destination: DestinationRecord;
  readonly principal: Principal;
  readonly at: Date;
}

/** How destinations of one kind are managed. */
export interface ManagedKind<Kind extends KindSettings['kind'] = KindSettings['kind']> {
  /** The members of a change that only some kinds have. */
  readonly members: readonly (keyof DestinationChanges)[];
  /** Checks what someone asks for, as far as the database is not needed: it may ask the receiver. */
  create(
    deps: ManagementDeps,
    id: string,
    wanted: Extract<NewDestination, { kind: Kind }>,
    saver: Saver,
  ): Promise<OwnSettings>;
  /** Checks a change before it is made. `before` may have changed when it is. */
  check(
    deps: ManagementDeps,
    before: DestinationRecord,
    changes: DestinationChanges,
    saver: Saver,
  ): Promise<void>;
  change(deps: ManagementDeps, before: DestinationRecord, changes: DestinationChanges): ChangedSettings;
  /** What else is saved in the same transaction. Returns what follows the commit. */
  save?(
    deps: ManagementDeps,
    saving: Saving,
    wanted: NewDestination | DestinationChanges,
  ): Promise<() => Promise<void>>;
}
