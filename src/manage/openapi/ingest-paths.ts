const tag = 'Sending leads';

const rejected = { type: 'object', properties: { status: { const: 'rejected' } }, required: ['status'] };
const accepted = {
  type: 'object',
  properties: { submission_id: { type: 'string', format: 'uuid' } },
  required: ['submission_id'],
};

export const leadResponses = {
  202: {
    description: 'The lead is stored and scored.',
    content: { 'application/json': { schema: accepted } },
  },
  200: {
    description:
      'Rejected. The response is the same for every reason; to find the reason, look up the `X-Request-Id` in the diagnostics.',
    content: { 'application/json': { schema: rejected } },
  },
};

export const leadBody = {
  required: true,
  description: 'Any JSON object up to 128 KB. Each top-level key becomes a field of the lead.',
  content: {
    'application/json': {
      schema: { type: 'object', additionalProperties: true },
      example: { name: 'Ada Lovelace', email: 'ada@example.com', company: 'Analytical Engines' },
    },
  },
};

/** This plane does not serve the ingest paths, but the reference needs them. */
export function describeIngest(headerPrefix: string): Record<string, object> {
  const idempotencyKey = header(
    `${headerPrefix}Idempotency-Key`,
    '1 to 255 characters. A retry within 24 hours gets the original response and stores nothing.',
  );
  const timestamp = header(
    `${headerPrefix}Timestamp`,
    'Unix time in seconds, within 5 minutes of server time.',
  );
  const signature = header(
    `${headerPrefix}Signature`,
    'HMAC-SHA256 of `{timestamp}.{body}` with the webhook secret, in lowercase hex; the prefix `sha256=` is optional.',
  );
  const slug = {
    name: 'slug',
    in: 'path',
    required: true,
    description: 'The slug of the form, shown in its Delivery settings.',
    schema: { type: 'string' },
  };
  return {
    '/api/v1/ingest': {
      post: {
        operationId: 'sendLead',
        tags: [tag],
        summary: 'Send a lead with an ingest token',
        security: [{ ingestToken: [] }],
        parameters: [idempotencyKey],
        requestBody: leadBody,
        responses: leadResponses,
      },
    },
    '/api/v1/ingest/{slug}': {
      post: {
        operationId: 'sendSignedLead',
        tags: [tag],
        summary: 'Send a lead as a signed webhook',
        security: [],
        parameters: [
          slug,
          { ...timestamp, required: true },
          { ...signature, required: true },
          idempotencyKey,
        ],
        requestBody: leadBody,
        responses: leadResponses,
      },
    },
    '/api/ingest/{slug}': {
      post: {
        operationId: 'sendLeadToRetiredPath',
        tags: [tag],
        summary: 'Retired ingest path',
        deprecated: true,
        security: [],
        parameters: [slug],
        responses: {
          410: { description: 'Gone since 2026-06-25. Use `/api/v1/ingest` or `/api/v1/ingest/{slug}`.' },
        },
      },
    },
  };
}

function header(name: string, description: string) {
  return { name, in: 'header', description, schema: { type: 'string' } };
}
