import { type Command, Option } from 'commander';
import type { Destination } from '../../../contract/destinations/destinations.ts';
import { formats, sendWhens, subscribableEvents } from '../../../domain/destination/destination.ts';
import type { Api } from '../../api.ts';
import { newCommand, sessionOf } from '../../command.ts';
import { CliError } from '../../exit.ts';
import { findForm, findWorkspace } from '../../find.ts';
import { durationSeconds } from '../../input.ts';
import { inWorkspace, numberOption, type WorkspaceOption } from '../../options.ts';
import { readBytes } from '../../terminal/read-bytes.ts';

interface CreateOptions extends WorkspaceOption {
  readonly url: string;
  readonly form?: readonly string[];
  readonly events?: Destination['events'];
  readonly format?: Destination['format'];
  readonly filterFile?: string;
  readonly mappingFile?: string;
  readonly headersFile?: string;
  readonly sendWhen?: Destination['send_when'];
  readonly wait?: string;
  readonly perSecond?: string;
}

export const createCommand = () =>
  inWorkspace(
    newCommand('create', 'Create a destination for leads and print its signing secret once.', [
      'destination create CRM --url https://crm.example.com/leads',
      'destination create n8n --url https://n8n.example.com/webhook/leads --format flat --headers-file headers.json',
      'destination create Archive --url https://archive.example.com --events lead.accepted lead.erased --filter-file all.json',
    ]),
  )
    .argument('<name>')
    .requiredOption('--url <url>', 'receives a signed POST for each event')
    .option('-f, --form <form...>', 'only leads of these forms: slug, name or ID; default: all')
    .addOption(
      new Option('--events <event...>', 'default: lead.accepted and lead.released').choices(
        subscribableEvents,
      ),
    )
    .addOption(new Option('--format <format>', 'of the body; default: standard').choices(formats))
    .option('--filter-file <path>', 'JSON with the filter; default: only clean leads')
    .option('--mapping-file <path>', 'JSON with the mapping, for --format mapped')
    .option('--headers-file <path>', 'JSON with headers for each request, such as {"X-Api-Key": "…"}')
    .addOption(
      new Option(
        '--send-when <state>',
        'send a lead when it is accepted or enriched; default: enriched',
      ).choices(sendWhens),
    )
    .option('--wait <duration>', 'how long to wait for the enrichment; default: 2m')
    .option('--per-second <number>', 'requests per second at most; default: 50')
    .addHelpText('after', '\nHeaders come from a file, because other users of the machine can see arguments.')
    .action(async (name: string, options: CreateOptions, command: Command) => {
      const { api, out } = sessionOf(command);
      const { id } = await findWorkspace(api, options.workspace);
      const made = await api.call('POST', '/workspaces/:workspace_id/destinations', {
        params: { workspace_id: id },
        body: { name, kind: 'webhook', url: options.url, ...(await settingsOf(api, id, options)) },
      });
      out.note(`Created ${made.name} (${made.id}). The secret is shown only once:`);
      out.result(made, made.secret);
    });

/** Only what was given: the service has the defaults. */
async function settingsOf(api: Api, workspaceId: string, options: CreateOptions) {
  const { form, events, format, filterFile, mappingFile, headersFile, sendWhen, wait, perSecond } = options;
  const forms = form && (await Promise.all(form.map((one) => findForm(api, workspaceId, one))));
  return {
    ...(forms === undefined ? {} : { form_ids: forms.map(({ id }) => id) }),
    ...(events === undefined ? {} : { events }),
    ...(format === undefined ? {} : { format }),
    ...(filterFile === undefined ? {} : { filter: await jsonIn(filterFile) }),
    ...(mappingFile === undefined ? {} : { mapping: await jsonIn(mappingFile) }),
    ...(headersFile === undefined ? {} : { headers: await jsonIn(headersFile) }),
    ...(sendWhen === undefined ? {} : { send_when: sendWhen }),
    ...(wait === undefined ? {} : { wait_max_s: durationSeconds(wait) }),
    ...(perSecond === undefined ? {} : { per_second: numberOption('--per-second', perSecond) }),
  };
}

/** The service checks what is in it. */
// biome-ignore lint/suspicious/noExplicitAny: JSON that someone wrote.
async function jsonIn(path: string): Promise<any> {
  const text = (await readBytes(path)).toString('utf8');
  try {
    return JSON.parse(text);
  } catch {
    throw new CliError('usage', `${path} is not JSON.`);
  }
}
