import { afterAll, afterEach, beforeAll } from 'vitest';
import { DeliveryWorld } from '../delivery-world.ts';
import { HubspotStandIn } from './hubspot-stand-in.ts';

export const mapping = [
  { from: 'email' },
  { from: 'name', to: 'firstname' },
  { from: 'tags', to: 'interests' },
];

export const someLeads = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ email: `p${i}@example.com`, name: `P ${i}` }));

/** A world with a HubSpot, for the tests of a file. Each starts without contacts. */
export class HubspotWorld {
  readonly hubspot = new HubspotStandIn();
  world!: DeliveryWorld;

  constructor() {
    beforeAll(async () => {
      await this.hubspot.start();
      this.world = await DeliveryWorld.create();
    });
    afterEach(async () => {
      await this.world.reset();
      this.hubspot.reset();
    });
    afterAll(async () => {
      await this.world.close();
      await this.hubspot.stop();
    });
  }

  destination(more: object = {}): Promise<string> {
    const { token: secret } = this.hubspot;
    const common = { kind: 'hubspot' as const, config: {}, mapping, secret, perSecond: 5 };
    return this.world.destination({ ...common, ...more });
  }

  /** Leads that wait, one for each set of fields. */
  async waiting(destinationId: string, leads: readonly object[]): Promise<string[]> {
    const ids: string[] = [];
    for (const fields of leads) {
      const submissionId = await this.world.lead({ fields });
      ids.push(await this.world.addUnnoticed(destinationId, { submissionId }));
    }
    return ids;
  }

  /** Starts an instance that sends what waits. */
  async start(destinationId: string): Promise<void> {
    await this.world.wake(destinationId);
    this.world.start({ hubspotUrl: this.hubspot.url });
  }
}
