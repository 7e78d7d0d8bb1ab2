const tag = 'Sending leads';

const rejected = { type: 'object', properties: { status: { const: 'rejected' } }, required: ['status'] };
const accepted = {
  type: 'object',
  properties: { submission_id: { type: 'string', format: 'uuid' } },
  required: ['submission_id'],
};

const responses = {
  202: {
    description: 'The lead is stored and scored.',
    content: { 'application/json': { schema: accepted } },
  },
  200: {
    description:
      'Rejected. The answer is the same whatever the reason; diagnostics show it, by X-Request-Id.',
    content: { 'application/json': { schema: rejected } },
  },
};

const requestBody = {
  required: true,
  description: 'Any JSON object of at most 128 KB. Each top-level key becomes a field of the lead.',
  content: {
    'application/json': {
      schema: { type: 'object', additionalProperties: true },
      example: { name: 'Ada Lovelace', email: 'ada@example.com', company: 'Analytical Engines' },
    },
  },
};

/** The ingest paths have no route in this plane; the reference would be of little use without them. */
export function describeIngest(headerPrefix: string): Record<string, object> {
  const idempotencyKey = header(
    `${headerPrefix}Idempotency-Key`,
    '1 to 255 characters. A repeat within 24 hours gets the original answer and stores nothing.',
  );
  const timestamp = header(`${headerPrefix}Timestamp`, 'Unix seconds, at most 5 minutes from our time.');
  const signature = header(
    `${headerPrefix}Signature`,
    'HMAC-SHA256 of `{timestamp}.{body}` under the webhook secret, in hex; the prefix `sha256=` is allowed.',
  );
  const slug = {
    name: 'slug',
    in: 'path',
    required: true,
    description: 'The slug of the form, as its Delivery settings show it.',
    schema: { type: 'string' },
  };
  return {
    '/api/v1/ingest': {
      post: {
        operationId: 'sendLead',
        tags: [tag],
        summary: 'Send a lead with a server token',
        security: [{ ingestToken: [] }],
        parameters: [idempotencyKey],
        requestBody,
        responses,
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
        requestBody,
        responses,
      },
    },
    '/api/ingest/{slug}': {
      post: {
        operationId: 'sendLeadToRetiredPath',
        tags: [tag],
        summary: 'Retired',
        deprecated: true,
        security: [],
        parameters: [slug],
        responses: {
          410: { description: 'Gone since 2026-06-25. Use one of the two paths under /api/v1/ingest.' },
        },
      },
    },
  };
}

function header(name: string, description: string) {
  return { name, in: 'header', description, schema: { type: 'string' } };
}
