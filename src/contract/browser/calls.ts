import { call, json } from '../call.ts';
import { browserActivity, browserActivityQuery, mintBody, mintedToken } from './activity.ts';
import { browserSettings, browserSettingsInput, mintSecretAnswer, newMintSecretInput } from './settings.ts';

const path = '/workspaces/:workspace_id/forms/:form_id/browser';
const tag = 'Web pages';

const readBrowserSettings = call({
  method: 'get',
  path,
  tag,
  summary: 'Read how web pages send leads to a form',
  access: { by: 'member', scope: 'forms:read' },
  // The thank-you page may have something secret in its URL.
  secret: true,
  answer: json(200, browserSettings),
});

const setBrowserSettings = call({
  method: 'put',
  path,
  tag,
  summary: 'Set how web pages send leads to a form',
  description:
    'Applies within a second, also to tokens that exist already: a token is valid only while its origin is in the list.',
  access: { by: 'owner', scope: 'forms:write' },
  audited: ['enabled', 'origins', 'protection', 'ttl_s', 'no_script', 'localhost'],
  auditedHosts: ['thanks_url'],
  secret: true,
  body: browserSettingsInput,
  answer: json(200, browserSettings),
});

const endBrowserTokens = call({
  method: 'post',
  path: `${path}/end-tokens`,
  tag,
  summary: 'End all browser tokens of a form',
  description: 'Pages get new ones. A backend that signs tokens itself needs the new epoch.',
  access: { by: 'owner', scope: 'forms:write' },
  secret: true,
  answer: json(200, browserSettings),
});

const rotateMintSecret = call({
  method: 'post',
  path: `${path}/mint-secret`,
  tag,
  summary: 'Create or rotate the mint secret of a form',
  description: 'With it, your backend signs browser tokens itself, without a request.',
  access: { by: 'owner' },
  gives: 'secret',
  audited: ['overlap_seconds'],
  body: newMintSecretInput,
  answer: json(201, mintSecretAnswer),
});

const readBrowserActivity = call({
  method: 'get',
  path: `${path}/activity`,
  tag,
  summary: 'Read what became of the visits of web pages',
  access: { by: 'member', scope: 'forms:read' },
  query: browserActivityQuery,
  answer: json(200, browserActivity),
});

const mintBrowserToken = call({
  method: 'post',
  path: '/browser/tokens',
  tag,
  summary: 'Create a browser token for a page',
  description:
    'For your backend, with an API key. Pages call the same path without a key; see [Browser tokens](/docs/browser-tokens).',
  access: { by: 'operator_key', scope: 'browser:mint' },
  audit: 'reads',
  secret: true,
  body: mintBody,
  answer: json(201, mintedToken),
  problems: ['not_found', 'suspended', 'browser_disabled'],
});

export const browserCalls = {
  readBrowserSettings,
  setBrowserSettings,
  endBrowserTokens,
  rotateMintSecret,
  readBrowserActivity,
  mintBrowserToken,
};
