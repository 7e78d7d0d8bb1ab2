import { type Command, Option } from 'commander';
import type { FeedEvent } from '../../../contract/destinations/events.ts';
import type { Lead } from '../../../contract/leads/lead.ts';
import {
  destinationDefaults,
  type Format,
  formats,
  type SubscribableEvent,
  subscribableEvents,
} from '../../../domain/destination/destination.ts';
import { newWebhookSecret } from '../../../domain/destination/request/webhook-signature.ts';
import { newCommand, sessionOf } from '../../command.ts';
import { CliError } from '../../exit.ts';
import { findForm, findWorkspace } from '../../find.ts';
import { KnownForms } from '../../known-forms.ts';
import { bodyOf } from '../../listen/event-body.ts';
import { eventPages, newestCursor } from '../../listen/event-pages.ts';
import { type Forwarded, Forwarder } from '../../listen/forwarder.ts';
import { inWorkspace, type WorkspaceOption } from '../../options.ts';
import { styled } from '../../output.ts';
import { untilReachable } from '../../patience.ts';
import { printable } from '../../terminal/safe-text.ts';

interface ListenOptions extends WorkspaceOption {
  readonly forward: string;
  readonly form?: string;
  readonly events: readonly SubscribableEvent[];
  readonly verdict?: Lead['verdict'];
  readonly format: Format;
  readonly fromStart?: boolean;
}

const pauseMs = 1_000;

export const listenCommand = () =>
  inWorkspace(
    newCommand('listen', 'Send events to a server on your machine, as a destination would, until Ctrl-C.', [
      'listen --forward http://localhost:8080/hook',
      'listen --forward http://localhost:8080/hook --form contact --events lead.accepted lead.marked',
    ]),
  )
    .requiredOption('--forward <url>', 'the URL of your server')
    .option('-f, --form <form>', 'only leads of this form: slug, name or ID')
    .addOption(
      new Option('--events <event...>', 'which events')
        .choices(subscribableEvents)
        .default([...destinationDefaults.events]),
    )
    .addOption(
      new Option(
        '--verdict <verdict>',
        'only leads with this verdict; a new destination sends clean ones',
      ).choices(['clean', 'suspect', 'spam'] satisfies Lead['verdict'][]),
    )
    .addOption(
      // Without a destination there is no mapping.
      new Option('--format <format>', 'of the body')
        .choices(formats.filter((format) => format !== 'mapped'))
        .default(destinationDefaults.format),
    )
    .option('--from-start', 'begin with the oldest event kept, instead of with new ones')
    .addHelpText(
      'after',
      '\nNo destination is needed, and none is created. Requests are signed with a secret that is printed first and valid for this run. A lead is sent as soon as it is accepted, without waiting for its enrichment. A response other than 2xx is shown and not retried. An API key with the scopes events:read, leads:read and forms:read is enough.',
    )
    .action(async (options: ListenOptions, command: Command) => {
      const { forward, format, events, verdict, workspace } = options;
      requireUrl(forward);
      const { api, out } = sessionOf(command);
      const { id: workspaceId, name } = await findWorkspace(api, workspace);
      const formId = options.form && (await findForm(api, workspaceId, options.form)).id;
      const after = options.fromStart ? undefined : await newestCursor(api, workspaceId);
      const secret = newWebhookSecret();
      const forwarder = new Forwarder(forward, secret, out);
      const source = { api, workspaceId, forms: new KnownForms(api, workspaceId), format };
      out.note(`Forwarding events of ${printable(name)} to ${forward}. Press Ctrl-C to stop.`);
      out.note(`The signing secret of this run: ${secret}`);
      for await (const page of eventPages(api, out, workspaceId, { after, isFollowing: true }))
        for (const event of page.filter(({ type }) => (events as readonly string[]).includes(type))) {
          const body = await untilReachable(() => bodyOf(source, event, { formId, verdict }), out, {
            pauseMs,
          });
          const isSent = typeof body !== 'string';
          const sent = isSent ? await forwarder.send(`msg_${event.id}`, body) : null;
          const line = lineOf(event, sent, isSent ? null : body);
          out.line(line, lineText(line));
        }
    });

interface Line {
  readonly at: string;
  readonly event: FeedEvent['type'];
  readonly webhook_id: string;
  readonly submission_id: string | null;
  readonly status: number | null;
  readonly took_ms: number | null;
  /** Why it was not sent. */
  readonly skipped: string | null;
}

function lineOf(
  { id, type, submission_id }: FeedEvent,
  sent: Forwarded | null,
  skipped: string | null,
): Line {
  return {
    at: new Date().toISOString(),
    event: type,
    webhook_id: `msg_${id}`,
    submission_id,
    status: sent?.status ?? null,
    took_ms: sent?.took_ms ?? null,
    skipped,
  };
}

function lineText({ at, event, submission_id, status, took_ms, skipped }: Line): string {
  const isFine = status !== null && status >= 200 && status < 300;
  const result =
    status === null
      ? styled('dim', `not sent: ${printable(skipped ?? '')}`)
      : `${styled(isFine ? 'green' : 'red', String(status))} ${took_ms} ms`;
  return [styled('dim', at), event, submission_id ?? '', result].filter((part) => part !== '').join(' ');
}

function requireUrl(text: string): void {
  if (!/^https?:\/\//.test(text) || !URL.canParse(text))
    throw new CliError('usage', `${printable(text)} is not a URL. Use one like http://localhost:8080/hook.`);
}
