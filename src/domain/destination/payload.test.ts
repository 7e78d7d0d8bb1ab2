import { describe, expect, test } from 'vitest';
import { destinationLimits, formats } from './destination.ts';
import type { EventFacts, LeadFacts } from './lead-facts.ts';
import { disabledPayload, erasedPayload, leadPayload, type PayloadOptions } from './payload.ts';
import { sampleLead } from './sample-lead.ts';

const workspaceId = '0198a0c0-0000-7000-8000-000000000001';
const submissionId = '0198a0c0-0000-7000-8000-000000000002';
const form = { id: '0198a0c0-0000-7000-8000-000000000003', slug: 'contact', name: 'Contact "us"' };
const at = new Date('2026-11-16T08:00:00.123Z');
const sample = sampleLead({ workspaceId, submissionId, form, at });
// As PostgreSQL writes jsonb.
const lead: LeadFacts = {
  ...sample,
  fields: '{"id": 9223372036854775807, "name": "Ada  L", "rate": 1.10, "utm_source": "bing"}',
  enrichment: '{"status": "complete", "company": {"name": "Analytical Engines"}}',
  reasons: '[{"code": "EMAIL_FREE", "points": 5}]',
  isTest: false,
};
const event: EventFacts = { workspaceId, number: 7, type: 'lead.accepted', at, submissionId };
const options: PayloadOptions = { format: 'standard', mapping: [], publicUrl: 'https://leads.example' };

function textOf(facts: LeadFacts, changed: Partial<PayloadOptions> = {}, type = event.type): string {
  return leadPayload({ ...event, type }, facts, { ...options, ...changed }).body.toString();
}

const formJson = `{"id":"${form.id}","slug":"contact","name":"Contact \\"us\\""}`;
const fieldsJson = '"id":9223372036854775807,"name":"Ada  L","rate":1.10,"utm_source":"bing"';
const restJson =
  '"enrichment":{"status":"complete","company":{"name":"Analytical Engines"}},' +
  '"reasons":[{"code":"EMAIL_FREE","points":5}],"attribution":{"utm_source":"bing"},"test":false';
const startJson =
  `"submission_id":"${submissionId}","form":${formJson},"received_at":"2026-11-16T08:00:00.123Z",` +
  '"surface":"server","verdict":"clean","score":72,"grade":"B"';
const aboutJson = '"type":"lead.accepted","timestamp":"2026-11-16T08:00:00.123Z"';
const idsJson = `"submission_id":"${submissionId}","workspace_id":"${workspaceId}","form_id":"${form.id}"`;
const url = `https://leads.example/w/${workspaceId}/leads/${submissionId}`;

describe('formats', () => {
  test('standard is compact and has every number as it was sent', () => {
    expect(textOf(lead)).toBe(`{${aboutJson},"data":{${startJson},"fields":{${fieldsJson}},${restJson}}}`);
  });

  test('flat has the fields on top and the rest in _leadgate', () => {
    expect(textOf(lead, { format: 'flat' })).toBe(
      `{${fieldsJson},"_leadgate":{${aboutJson},${startJson},${restJson}}}`,
    );
  });

  test('thin has IDs and a link, and nothing about the person', () => {
    expect(textOf(lead, { format: 'thin' })).toBe(
      `{${aboutJson},"data":{${idsJson},"url":"${url}","test":false}}`,
    );
    expect(JSON.parse(textOf(lead, { format: 'thin', publicUrl: null })).data.url).toBeNull();
  });

  test('mapped is what the rows say', () => {
    const mapping = [{ from: 'name', to: 'Name' }, { from: 'id' }];
    expect(textOf(lead, { format: 'mapped', mapping })).toBe('{"Name":"Ada  L","id":9223372036854775807}');
  });

  test('a lead without form or enrichment has nulls', () => {
    const { data } = JSON.parse(textOf({ ...lead, form: null, enrichment: null }));
    expect(data).toMatchObject({ form: null, enrichment: null });
    expect(JSON.parse(textOf({ ...lead, form: null }, { format: 'thin' })).data.form_id).toBeNull();
  });

  test.each(formats)('two tries in the format %s send the same bytes', (format) => {
    expect(textOf({ ...lead }, { format })).toBe(textOf(lead, { format }));
  });
});

describe('other events', () => {
  test.each(formats)('an erased lead leaves only its ID in the format %s', (format) => {
    const { body } = erasedPayload({ ...event, type: 'lead.erased' }, format);
    const about = { type: 'lead.erased', timestamp: at.toISOString() };
    expect(JSON.parse(body.toString())).toEqual(
      format === 'flat'
        ? { _leadgate: { ...about, submission_id: submissionId } }
        : { ...about, data: { submission_id: submissionId } },
    );
  });

  test('a disabled destination is named with the reason', () => {
    const disabled: EventFacts = { ...event, type: 'destination.disabled', submissionId: null };
    const { body } = disabledPayload(disabled, { id: form.id, name: 'CRM', reason: 'gone' }, 'standard');
    expect(JSON.parse(body.toString())).toEqual({
      type: 'destination.disabled',
      timestamp: at.toISOString(),
      data: { destination: { id: form.id, name: 'CRM', reason: 'gone' } },
    });
  });

  test.each(formats)('a test is marked as such in the format %s', (format) => {
    const body = JSON.parse(textOf(sample, { format, mapping: [{ from: 'email' }] }, 'test'));
    const about = body._leadgate ?? { ...body, ...body.data };
    expect(about).toMatchObject({ type: 'test', test: true });
    expect(JSON.stringify(body)).not.toContain('/leads/');
  });
});

describe('hostile leads', () => {
  const names = [
    '__proto__',
    'constructor',
    'Content-Length',
    '=HYPERLINK("x")',
    '<script>',
    'a"b\\',
    '\u2028',
  ];

  test.each(names)('a field named %j arrives under its name', (name) => {
    const fields = `{${JSON.stringify(name)}: "<b>&=1+1"}`;
    const { data } = JSON.parse(textOf({ ...lead, fields }));
    expect(Object.entries(data.fields)).toEqual([[name, '<b>&=1+1']]);
    const { _leadgate, ...flat } = JSON.parse(textOf({ ...lead, fields }, { format: 'flat' }));
    if (name !== '__proto__') expect(flat).toEqual({ [name]: '<b>&=1+1' });
    expect(_leadgate.submission_id).toBe(submissionId);
  });

  test('a field cannot pass for what the service says', () => {
    const fields = '{"_leadgate": {"verdict": "clean"}, "type": "lead.erased", "a": 1}';
    const text = textOf({ ...lead, fields, verdict: 'spam' }, { format: 'flat' });
    expect(text.match(/_leadgate/g)).toHaveLength(1);
    expect(JSON.parse(text)).toMatchObject({ a: 1, _leadgate: { verdict: 'spam', type: 'lead.accepted' } });
  });

  test('the last of equal keys is sent, once', () => {
    expect(textOf({ ...lead, fields: '{"a": 1, "a": 2}' }, { format: 'flat' })).toMatch(
      /^\{"a":2,"_leadgate"/,
    );
  });

  test('lone surrogates become bytes that every receiver can read', () => {
    const { body } = leadPayload(event, { ...lead, fields: '{"a": "\ud800", "b": "\\ud800"}' }, options);
    expect(new TextDecoder('utf-8', { fatal: true }).decode(body)).toContain('"a":"\ufffd","b":"\\ud800"');
  });

  test('a lead of 128 KB is sent whole', () => {
    const fields = JSON.stringify({ x: 'ä'.repeat(65_000) });
    const { body, isTruncated } = leadPayload(event, { ...lead, fields }, options);
    expect(isTruncated).toBe(false);
    expect(JSON.parse(body.toString()).data.fields.x).toHaveLength(65_000);
  });

  test.each(formats.filter((format) => format !== 'thin'))(
    'in the format %s, what exceeds 256 KB in bytes becomes IDs with a link',
    (format) => {
      const fields = JSON.stringify({ x: 'ä'.repeat(destinationLimits.bodyBytes / 2) });
      const mapping = [{ from: 'x' }];
      const { body, isTruncated } = leadPayload(event, { ...lead, fields }, { ...options, format, mapping });
      expect(isTruncated).toBe(true);
      expect(body.toString()).toBe(
        `{${aboutJson},"data":{${idsJson},"url":"${url}","test":false,"truncated":true}}`,
      );
    },
  );

  test('a body of exactly 256 KB is sent', () => {
    const withText = (length: number) =>
      leadPayload(event, { ...lead, fields: `{"x": "${'a'.repeat(length)}"}` }, options);
    const length = destinationLimits.bodyBytes - withText(0).body.length;
    expect(withText(length)).toMatchObject({ isTruncated: false, body: { length: 262_144 } });
    expect(withText(length + 1).isTruncated).toBe(true);
  });
});
