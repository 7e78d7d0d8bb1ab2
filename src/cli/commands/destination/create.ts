import { type Command, Option } from 'commander';
import type { z } from 'zod';
import type { createdDestination } from '../../../contract/destinations/destination.ts';
import {
  destinationKinds,
  formats,
  sendWhens,
  subscribableEvents,
} from '../../../domain/destination/destination.ts';
import { digestPeriods } from '../../../domain/destination/kind/digest.ts';
import { chatServices } from '../../../domain/destination/kind/kind-settings.ts';
import { newCommand, sessionOf } from '../../command.ts';
import { findWorkspace } from '../../find.ts';
import { inWorkspace, type WorkspaceOption } from '../../options.ts';
import type { Output } from '../../output.ts';
import { checkOptions, type NewDestinationOptions, newDestinationOf } from './new-destination.ts';

type Created = z.output<typeof createdDestination>;

const afterHelp = `
Headers and secrets come from files, because other users of the machine can see arguments. "-" reads standard input.
Recipients who are not members of the workspace get a link first, and emails once they have opened it.`;

const fresh = () =>
  newCommand('create', 'Create a destination for leads; of a webhook, print the signing secret once.', [
    'destination create CRM --url https://crm.example.com/leads',
    'destination create n8n --url https://n8n.example.com/webhook/leads --format flat --headers-file headers.json',
    'destination create Archive --url https://archive.example.com --events lead.accepted lead.erased --filter-file all.json',
    'destination create Sales --kind email --recipient ada@example.com max@example.com --every day --hour 8 --time-zone Europe/Berlin',
    'destination create "#leads" --kind chat --service slack --secret-file slack-url.txt',
    'destination create HubSpot --kind hubspot --secret-file token.txt --mapping-file contact.json',
  ]);

export const createCommand = () =>
  ofKinds(inWorkspace(fresh()).argument('<name>'))
    .option('-f, --form <form...>', 'only leads of these forms: slug, name or ID; default: all')
    .addOption(
      new Option('--events <event...>', 'default: lead.accepted and lead.released').choices(
        subscribableEvents,
      ),
    )
    .option('--filter-file <path>', 'JSON with the filter; default: only clean leads')
    .addOption(
      new Option(
        '--send-when <state>',
        'send a lead when it is accepted or enriched; default: enriched',
      ).choices(sendWhens),
    )
    .option('--wait <duration>', 'how long to wait for the enrichment; default: 2m')
    .addHelpText('after', afterHelp)
    .action(async (name: string, options: NewDestinationOptions & WorkspaceOption, command: Command) => {
      checkOptions(options);
      const { api, out } = sessionOf(command);
      const { id } = await findWorkspace(api, options.workspace);
      const made = await api.call('POST', '/workspaces/:workspace_id/destinations', {
        params: { workspace_id: id },
        body: await newDestinationOf(api, id, name, options),
      });
      report(out, made);
    });

function ofKinds(command: Command): Command {
  return command
    .addOption(new Option('--kind <kind>', 'how leads leave').choices(destinationKinds).default('webhook'))
    .option('--url <url>', 'of a webhook: receives a signed POST for each event')
    .addOption(
      new Option('--format <format>', 'of the body for a webhook; default: standard').choices(formats),
    )
    .option('--headers-file <path>', 'for a webhook: JSON with headers, such as {"X-Api-Key": "…"}')
    .option('--per-second <number>', 'requests to a webhook per second at most; default: 50')
    .option('--mapping-file <path>', 'JSON with the mapping, for --format mapped or --kind hubspot')
    .option('--recipient <address...>', 'who gets the emails')
    .addOption(
      new Option(
        '--every <period>',
        'an email for each lead, or one an hour or a day; default: lead',
      ).choices(digestPeriods),
    )
    .option('--hour <hour>', 'when the daily email is sent, 0 to 23; default: 8')
    .option('--time-zone <zone>', 'of --hour, such as Europe/Berlin; default: UTC')
    .addOption(new Option('--service <service>', 'of a chat').choices(chatServices))
    .option('--secret-file <path>', 'has the URL of a chat, or the access token of HubSpot')
    .option('--link-only', 'emails and chat messages contain only a link to the lead');
}

function report(out: Output, made: Created): void {
  const created = `Created ${made.name} (${made.id}).`;
  if (made.kind === 'webhook') {
    out.note(`${created} The secret is shown only once:`);
    out.result(made, made.secret ?? '');
    return;
  }
  out.note(created);
  if (made.kind === 'email') noteRecipients(out, made);
  out.result(made, made.id);
}

function noteRecipients(out: Output, { recipients }: Extract<Created, { kind: 'email' }>): void {
  const waiting = recipients.filter(({ status }) => status === 'waiting');
  const namesOf = (some: typeof recipients) => some.map(({ address }) => address).join(', ');
  const isAsked = ({ asked_at, last_error }: (typeof recipients)[number]) =>
    asked_at !== null && last_error === null;
  const asked = waiting.filter(isAsked);
  const unasked = waiting.filter((one) => !isAsked(one));
  if (asked.length > 0)
    out.note(`A confirmation link was sent to ${namesOf(asked)}. They get no emails until they open it.`);
  if (unasked.length > 0)
    out.note(`No confirmation link could be sent to ${namesOf(unasked)}. Check SMTP_URL, and send it again.`);
}
