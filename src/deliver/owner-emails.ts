import type { Logger } from 'pino';
import type { DeliverDatabase, DestinationRef } from '../db/deliver/deliver-database.ts';
import { type DisabledReason, disabledTexts } from '../domain/destination/destination.ts';
import { emailDue, failureEmails } from '../domain/destination/retry/circuit.ts';
import type { Mail } from '../mail/mail.ts';
import { type Clock, hourMs } from '../time/clock.ts';

export interface OwnerEmailsDeps {
  readonly database: Pick<DeliverDatabase, 'claimEmail' | 'listFailing' | 'listOwnerEmails'>;
  readonly mail: Pick<Mail, 'isOn' | 'send'>;
  readonly clock: Clock;
  readonly log: Logger;
  readonly publicUrl: () => string | null;
}

interface Named extends DestinationRef {
  readonly name: string;
}

interface Content {
  readonly subject: string;
  readonly lines: readonly string[];
}

/** Tells the owners of a workspace that a destination does not work, once for all instances. */
export class OwnerEmails {
  readonly #deps: OwnerEmailsDeps;

  constructor(deps: OwnerEmailsDeps) {
    this.#deps = deps;
  }

  /** To the owners of destinations that have been failing for an hour or a day. */
  async sendDue(): Promise<void> {
    const { database, clock, mail } = this.#deps;
    if (!mail.isOn) return;
    const now = new Date(clock.now());
    for (const destination of await database.listFailing(new Date(now.getTime() - hourMs))) {
      const due = emailDue(destination.health, now);
      // That it is disabled is told by whoever disables it.
      if (due === null || due.email === 'disabled') continue;
      if (!(await database.claimEmail(destination.id, due.after.emailsSent))) continue;
      const hours = due.email === 'hour' ? 'an hour' : 'a day';
      await this.#send(destination, {
        subject: `Deliveries to ${lineOf(destination.name)} have been failing for ${hours}`,
        lines: [
          `No delivery to the destination "${destination.name}" has succeeded for ${hours}.`,
          ...(destination.lastError === null ? [] : [`The last error was: ${destination.lastError}`]),
          'Deliveries wait and are tried again for three days. After five days the destination is disabled.',
        ],
      });
    }
  }

  /** Never rejects. The instance that disabled it calls this, so no other does. */
  async tellDisabled(destination: Named, reason: DisabledReason): Promise<void> {
    const { database, mail, log } = this.#deps;
    if (!mail.isOn) return;
    try {
      await database.claimEmail(destination.id, failureEmails.length);
      await this.#send(destination, {
        subject: `The destination ${lineOf(destination.name)} was disabled`,
        lines: [
          `Leads are no longer sent to the destination "${destination.name}". ${disabledTexts[reason]}`,
          'Once the receiver works again, enable the destination. What could not be delivered can be sent again.',
        ],
      });
    } catch (error) {
      log.warn({ err: error, destination_id: destination.id }, 'owners not told of a disabled destination');
    }
  }

  async #send({ id, workspaceId }: Named, { subject, lines }: Content): Promise<void> {
    const { database, mail, publicUrl } = this.#deps;
    const url = publicUrl();
    const link = url === null ? [] : [`${url}/w/${workspaceId}/destinations/${id}`];
    const text = `${[...lines, ...link].join('\n\n')}\n`;
    for (const to of await database.listOwnerEmails(workspaceId)) await mail.send({ to, subject, text });
  }
}

/** A subject is one line. */
function lineOf(name: string): string {
  return name.replace(/[\r\n]+/g, ' ');
}
