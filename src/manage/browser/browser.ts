import { browserCalls } from '../../contract/browser/calls.ts';
import { route } from '../calls/route.ts';
import { readActivity } from './browser-activity.ts';
import { endTokens, readSettings, saveSettings } from './browser-settings.ts';
import { mintToken } from './browser-tokens.ts';
import { newMintSecretFor } from './mint-secret.ts';

export const browserRoutes = [
  route(browserCalls.readBrowserSettings, ({ params }, deps) =>
    readSettings(deps, params.workspace_id, params.form_id),
  ),
  route(browserCalls.setBrowserSettings, ({ params, body }, deps) =>
    saveSettings(deps, params.workspace_id, params.form_id, body),
  ),
  route(browserCalls.endBrowserTokens, ({ params }, deps) =>
    endTokens(deps, params.workspace_id, params.form_id),
  ),
  route(browserCalls.rotateMintSecret, ({ params, body }, deps) =>
    newMintSecretFor(deps, params.workspace_id, params.form_id, body.overlap_seconds),
  ),
  route(browserCalls.readBrowserActivity, ({ params, query }, deps) =>
    readActivity(deps, params.workspace_id, params.form_id, query.minutes),
  ),
  route(browserCalls.mintBrowserToken, ({ principal, body }, deps) => mintToken(deps, principal, body)),
];
