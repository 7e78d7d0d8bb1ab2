import { Random } from '../../src/time/random.ts';
import type { Sender } from '../load/order.ts';
import type { Instance } from '../world/instance.ts';
import { createSender } from '../world/sender.ts';
import { Owner } from './owner.ts';
import { RejectedSender } from './rejected-sender.ts';

/** Who takes part in scenarios with held submissions, besides the instances and their senders. */
export class HeldWorld {
  /** Its workspace is not part of the load. */
  readonly sender: Sender;
  readonly rejected: RejectedSender;
  readonly owner: Owner;

  private constructor(sender: Sender, rejected: RejectedSender, owner: Owner) {
    this.sender = sender;
    this.rejected = rejected;
    this.owner = owner;
  }

  static async create(instances: readonly Instance[], random: Random): Promise<HeldWorld> {
    const own = () => new Random(random.integer(1, 2 ** 30));
    const ports = instances.map(({ port }) => port);
    const sender = await createSender(ports[0] as number, 'held');
    return new HeldWorld(
      sender,
      new RejectedSender(sender, ports, own()),
      new Owner(sender.workspaceId, ports, own()),
    );
  }
}
