import { tokenSeconds } from '../../domain/browser/protection.ts';
import { leadBody, leadResponses } from './ingest-paths.ts';

const tag = 'Web pages';
const tokensPath = '/api/v1/browser/tokens';

/** What the contract says about creating a token with an API key. */
interface BackendOperation {
  readonly security: readonly object[];
  readonly requestBody: { readonly content: { readonly 'application/json': { readonly schema: object } } };
  readonly responses: {
    readonly 403: { readonly description: string; readonly content: object };
  };
}

const text = (description: string) => ({ type: 'string', description });
const integer = (description: string) => ({ type: 'integer', description });
const object = (required: Record<string, object>, optional: Record<string, object> = {}) => ({
  type: 'object',
  properties: { ...required, ...optional },
  required: Object.keys(required),
});
const jsonOf = (schema: object) => ({ 'application/json': { schema } });

const hash = text('SHA-256 of the bytes that will be sent, as 64 lower-case hexadecimal digits.');
const refusal = 'Refused. The response is the same for every reason; the reasons are counted per form.';
const refused = { description: refusal, content: jsonOf(object({ status: { const: 'refused' } })) };

const challenge = object(
  {
    challenge: text('Signed; goes back as it is.'),
    nonce: text('The password of the derivation is this, followed by the solution.'),
    salt: text('Of the derivation.'),
    cost: integer('Iterations of PBKDF2 with SHA-256.'),
    bits: integer('How many leading bits of the derived key must be zero. 0: the solution is `0`.'),
    expires_in: integer('Seconds.'),
  },
  {
    captcha: object({
      provider: { enum: ['turnstile', 'hcaptcha'] },
      site_key: text('For the widget.'),
    }),
  },
);

const solved = object(
  { challenge: text('As it was received.'), solution: text('A whole number in decimal digits.') },
  { captcha: text('The response of the widget, if the challenge names a provider.') },
);

const publicKey = {
  name: 'public_key',
  in: 'path',
  required: true,
  description: 'The public key of the form, shown in its Delivery settings.',
  schema: { type: 'string' },
};

const fields = { schema: { type: 'object', additionalProperties: { type: 'string' } } };

/** This plane does not serve what pages call, but the reference needs it. One path has a call of both. */
export function describeBrowser(calls: Readonly<Record<string, object>>): Record<string, object> {
  const { post } = calls[tokensPath] as { readonly post: BackendOperation };
  return {
    '/api/v1/browser/challenges': {
      post: {
        operationId: 'startBrowserToken',
        tags: [tag],
        summary: 'Get a challenge for a page',
        description: 'The first of the two requests that a page makes before it sends a lead.',
        security: [],
        parameters: [],
        requestBody: {
          required: true,
          content: jsonOf(object({ key: text('The public key of the form.'), body_hash: hash })),
        },
        responses: { 201: { description: 'Created.', content: jsonOf(challenge) }, 403: refused },
      },
    },
    [tokensPath]: { post: alsoForPages(post) },
    '/api/v1/browser/submissions': {
      post: {
        operationId: 'sendLeadFromPage',
        tags: [tag],
        summary: 'Send a lead from a page',
        description: `With a browser token, which is valid for ${tokenSeconds.min} to ${tokenSeconds.max} seconds, for one origin and one lead.`,
        security: [{ browserToken: [] }],
        parameters: [],
        requestBody: leadBody,
        responses: leadResponses,
      },
    },
    '/api/v1/browser/forms/{public_key}': {
      post: {
        operationId: 'postFormWithoutScript',
        tags: [tag],
        summary: 'Post a form without script',
        description: 'Only for forms with `no_script`. Each field becomes a field of the lead.',
        security: [],
        parameters: [publicKey],
        requestBody: {
          required: true,
          content: { 'application/x-www-form-urlencoded': fields, 'multipart/form-data': fields },
        },
        responses: {
          303: { description: 'To the `thanks_url` of the form, whatever became of the lead.' },
          403: refused,
        },
      },
    },
  };
}

/** Without the header Authorization, the path belongs to pages. */
function alsoForPages({ security, requestBody, responses, ...post }: BackendOperation): object {
  const forBackend = requestBody.content['application/json'].schema;
  const forbidden = responses[403];
  return {
    ...post,
    security: [...security, {}],
    requestBody: { ...requestBody, content: jsonOf({ oneOf: [forBackend, solved] }) },
    responses: {
      ...responses,
      403: {
        description: `${forbidden.description} Without a key: ${refusal}`,
        content: { ...forbidden.content, ...refused.content },
      },
    },
  };
}
