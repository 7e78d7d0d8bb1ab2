import { requestParts } from '../load/lead.ts';
import { seedService } from '../seed.ts';

/** Half of what a workspace may send in a minute, so that no window of it is ever full. */
const leadsPerWorkspaceAndMinute = 500;
const requestsPerSender = 20;

/** Requests of so many workspaces that none of them reaches its limit at this rate. */
export async function createSenders(port: number, rate: number): Promise<string[]> {
  const count = Math.ceil((rate * 60) / leadsPerWorkspaceAndMinute);
  const senders = await seedService(port, count, 'erasure-bench');
  return Array.from({ length: requestsPerSender }, (_, repeat) =>
    senders.map(({ token }, place) => requestParts(port, token, repeat * count + place).plain),
  ).flat();
}
