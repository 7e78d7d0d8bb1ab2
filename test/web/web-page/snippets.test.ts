import { describe, expect, test } from 'vitest';
import {
  htmlSnippet,
  moduleSnippet,
  reactSnippet,
  type SnippetSettings,
  type SnippetValues,
} from '../../../web/pages/web-page/snippets.ts';

const url = 'https://leads.example.com';
const publicKey = 'ingt_pub_abc';
const action = `action="${url}/api/v1/browser/forms/${publicKey}" method="post"`;

function valuesWith(
  settings: Partial<SnippetSettings> = {},
  values: Partial<SnippetValues> = {},
): SnippetValues {
  const sdk = {
    url: `${url}/sdk/v1.js`,
    hashed_url: `${url}/sdk/v1.0a1b.js`,
    integrity: 'sha384-abc+/=',
  };
  return {
    url,
    publicKey,
    isPinned: false,
    fields: [],
    settings: { protection: 'work', captcha: null, no_script: false, thanks_url: null, sdk, ...settings },
    ...values,
  };
}

test('the code loads the SDK and names the form, and has no action unless browsers without script may post', () => {
  const code = htmlSnippet(valuesWith());
  expect(code).toContain(`<script src="${url}/sdk/v1.js" defer></script>`);
  expect(code).toContain(`<form data-leadgate="${publicKey}">`);
  expect(code).not.toContain('action=');
  const posting = valuesWith({ no_script: true, thanks_url: 'https://www.example.com/thanks' });
  expect(htmlSnippet(posting)).toContain(
    `<form data-leadgate="${publicKey}" ${action} data-next="https://www.example.com/thanks">`,
  );
  expect(reactSnippet(posting)).toContain(`<form ref={form} ${action}>`);
});

test('a pinned script names its hash, and is not pinned while the service knows none', () => {
  const pinned =
    '<script src="https://leads.example.com/sdk/v1.0a1b.js" integrity="sha384-abc+/=" crossorigin';
  expect(htmlSnippet(valuesWith({}, { isPinned: true }))).toContain(pinned);
  const sdk = { url: `${url}/sdk/v1.js`, hashed_url: null, integrity: null };
  expect(htmlSnippet(valuesWith({ sdk }, { isPinned: true }))).toContain(`src="${url}/sdk/v1.js" defer`);
});

test.each([
  ['turnstile', 'challenges.cloudflare.com/turnstile/v0/api.js', 'class="cf-turnstile" data-sitekey="0x4"'],
  ['hcaptcha', 'js.hcaptcha.com/1/api.js', 'class="h-captcha" data-sitekey="0x4"'],
] as const)(
  'the code for %s loads its script and has its widget in the form',
  (protection, script, widget) => {
    const code = htmlSnippet(valuesWith({ protection, captcha: { site_key: '0x4', has_secret: true } }));
    expect(code).toContain(script);
    expect(code.indexOf(widget)).toBeGreaterThan(code.indexOf('<form'));
  },
);

describe.each([
  ['HTML', htmlSnippet],
  ['React', reactSnippet],
])('the inputs in %s', (_, snippet) => {
  test('are the fields of the form, or the usual ones if it has none', () => {
    expect(snippet(valuesWith())).toContain('<input type="email" name="email" required');
    const fields = [{ key: 'company_size', label: 'Size', type: 'number' as const }];
    const code = snippet(valuesWith({}, { fields }));
    expect(code).toContain('<input type="number" name="company_size"');
    expect(code).not.toContain('name="email"');
  });

  test('cannot break out of the code, whatever a field is called', () => {
    const key = '"><script>alert(1)</script>{alert(1)}';
    const code = snippet(valuesWith({}, { fields: [{ key, label: key }] }));
    expect(code).not.toContain('<script>alert');
    expect(code).not.toContain('{alert');
  });
});

test('the module is imported from beside the script', () => {
  expect(moduleSnippet(valuesWith())).toContain(`import { leadgate } from '${url}/sdk/v1.mjs';`);
  expect(moduleSnippet(valuesWith())).toContain(`leadgate({ key: '${publicKey}' })`);
});
