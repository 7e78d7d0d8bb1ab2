import type { BrowserSettings } from '../../../src/contract/browser/settings.ts';
import type { Form } from '../../../src/contract/forms/form.ts';

export type SnippetSettings = Pick<
  BrowserSettings,
  'protection' | 'captcha' | 'no_script' | 'thanks_url' | 'sdk'
>;

export interface SnippetValues {
  /** Where pages reach the service. */
  readonly url: string;
  readonly publicKey: string;
  readonly settings: SnippetSettings;
  /** Loads exactly the SDK of today. */
  readonly isPinned: boolean;
  readonly fields: Form['fields'];
}

type Field = Form['fields'][number];

const usualFields: readonly Field[] = [
  { key: 'name', label: 'Name', required: true },
  { key: 'email', label: 'Email', type: 'email', required: true },
  { key: 'message', label: 'Message' },
];
const inputTypes: Partial<Record<NonNullable<Field['type']>, string>> = {
  email: 'email',
  phone: 'tel',
  url: 'url',
  number: 'number',
  boolean: 'checkbox',
};
/** As their documentation says. The SDK reads the response that they put in the form. */
const captchas = {
  turnstile: {
    script: 'https://challenges.cloudflare.com/turnstile/v0/api.js',
    widget: (siteKey: string) =>
      `<div class="cf-turnstile" data-sitekey="${siteKey}" data-action="leadgate"></div>`,
  },
  hcaptcha: {
    script: 'https://js.hcaptcha.com/1/api.js',
    widget: (siteKey: string) => `<div class="h-captcha" data-sitekey="${siteKey}"></div>`,
  },
};

/** The script and a form with the fields of this one. */
export function htmlSnippet(values: SnippetValues): string {
  const { protection, captcha, thanks_url } = values.settings;
  const service = protection === 'turnstile' || protection === 'hcaptcha' ? captchas[protection] : null;
  const lines = [
    scriptTag(values),
    ...(service === null ? [] : [`<script src="${service.script}" async defer></script>`]),
    '',
    `<form data-leadgate="${escaped(values.publicKey)}"${postAttributes(values)}${
      thanks_url === null ? '' : ` data-next="${escaped(thanks_url)}"`
    }>`,
    ...fieldsOf(values).map(
      (field) => `  <label>${escaped(field.label ?? field.key)} ${inputOf(field)}></label>`,
    ),
    ...(service === null ? [] : [`  ${service.widget(escaped(captcha?.site_key ?? ''))}`]),
    '  <button>Send</button>',
    '</form>',
  ];
  return lines.join('\n');
}

/** For pages with their own script. */
export function moduleSnippet(values: SnippetValues): string {
  return `import { leadgate } from '${moduleUrl(values)}';

const leads = leadgate({ key: '${values.publicKey}' });

// A form: from now on, the SDK sends it.
leads.attach(document.querySelector('#contact'));

// Or fields that you have read yourself.
const result = await leads.submit({ name: 'Ada', email: 'ada@example.com' });
console.log(result.submission_id ?? result.reason);`;
}

export function reactSnippet(values: SnippetValues): string {
  return `import { useEffect, useRef, useState } from 'react';

const sdk = '${moduleUrl(values)}';

export function ContactForm() {
  const form = useRef(null);
  const [result, setResult] = useState('');
  useEffect(() => {
    const element = form.current;
    const tell = ({ type }) => setResult(type);
    element.addEventListener('leadgate:accepted', tell);
    element.addEventListener('leadgate:failed', tell);
    import(/* webpackIgnore: true */ /* @vite-ignore */ sdk).then(({ leadgate }) =>
      leadgate({ key: '${values.publicKey}' }).attach(element),
    );
  }, []);
  return (
    <form ref={form}${postAttributes(values)}>
${fieldsOf(values)
  .map((field) => `      ${inputOf(field)} aria-label="${escaped(field.label ?? field.key)}" />`)
  .join('\n')}
      <button>Send</button>
      {result === 'leadgate:accepted' && <p role="status">Thank you.</p>}
    </form>
  );
}`;
}

/** Without script, the browser posts the form by itself. */
function postAttributes({ url, publicKey, settings }: SnippetValues): string {
  if (!settings.no_script) return '';
  return ` action="${escaped(`${url}/api/v1/browser/forms/${publicKey}`)}" method="post"`;
}

function scriptTag({ settings: { sdk }, isPinned }: SnippetValues): string {
  const { url, hashed_url, integrity } = sdk;
  if (!isPinned || hashed_url === null || integrity === null)
    return `<script src="${escaped(url)}" defer></script>`;
  return `<script src="${escaped(hashed_url)}" integrity="${escaped(integrity)}" crossorigin="anonymous" defer></script>`;
}

/** The same SDK for an import is beside the script. */
function moduleUrl({ settings }: SnippetValues): string {
  return settings.sdk.url.replace(/\.js$/, '.mjs');
}

function fieldsOf({ fields }: SnippetValues): readonly Field[] {
  return fields.length === 0 ? usualFields : fields;
}

/** Without its end, which differs between HTML and JSX. */
function inputOf({ key, type, required }: Field): string {
  const inputType = type === undefined ? undefined : inputTypes[type];
  const typed = inputType === undefined ? '' : `type="${inputType}" `;
  return `<input ${typed}name="${escaped(key)}"${required ? ' required' : ''}`;
}

/** A key or a label may contain anything. */
function escaped(text: string): string {
  const names: Readonly<Record<string, string>> = {
    '&': '&amp;',
    '"': '&quot;',
    '<': '&lt;',
    '>': '&gt;',
    '{': '&#123;',
    '}': '&#125;',
  };
  return text.replaceAll(/[&"<>{}]/g, (character) => names[character] ?? character);
}
