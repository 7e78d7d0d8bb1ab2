import type { Command } from 'commander';
import type { BrowserSettings } from '../../../contract/browser/settings.ts';
import { newCommand, sessionOf } from '../../command.ts';
import { CliError } from '../../exit.ts';
import { formParams } from '../../find.ts';
import { inWorkspace, type WorkspaceOption } from '../../options.ts';
import { printable } from '../../terminal/safe-text.ts';

interface BrowserOptions extends WorkspaceOption {
  readonly origin?: readonly string[];
  readonly enable?: boolean;
  readonly disable?: boolean;
}

const path = '/workspaces/:workspace_id/forms/:form_id/browser';

/** Without an option, it only shows them. */
export const browserCommand = () =>
  inWorkspace(
    newCommand('browser', 'Show or change which web pages can send leads to a form.', [
      'form browser contact',
      'form browser contact --origin https://www.example.com --enable',
    ]),
  )
    .argument('<form>', 'its slug, name or ID')
    .option('--origin <origins...>', 'the origins of all pages that can send leads')
    .option('--enable', 'accept leads from web pages')
    .option('--disable', 'accept no leads from web pages')
    .action(async (form: string, options: BrowserOptions, command: Command) => {
      const { workspace, origin, enable, disable } = options;
      if (enable && disable) throw new CliError('usage', 'Use either --enable or --disable.');
      const { api, out } = sessionOf(command);
      const params = await formParams(api, workspace, form);
      const present = await api.call('GET', path, { params });
      const isChanged = origin !== undefined || enable === true || disable === true;
      const enabled = enable === true || (disable !== true && present.enabled);
      const shown = isChanged
        ? await api.call('PUT', path, { params, body: changed(present, enabled, origin) })
        : present;
      out.result(shown, printable(textOf(shown)));
    });

/** What is not named stays as it is. */
function changed(
  { origins, protection, ttl_s, no_script, thanks_url }: BrowserSettings,
  enabled: boolean,
  wanted: readonly string[] | undefined,
) {
  return { enabled, origins: [...(wanted ?? origins)], protection, ttl_s, no_script, thanks_url };
}

function textOf({ enabled, public_key, origins }: BrowserSettings): string {
  if (public_key === null) return 'Web pages were never enabled.';
  const from = origins.length === 0 ? 'no origin' : origins.join(', ');
  return `Web pages are ${enabled ? 'enabled' : 'disabled'} for ${from}. Public key: ${public_key}`;
}
