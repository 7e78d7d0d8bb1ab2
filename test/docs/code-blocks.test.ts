import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readSections } from '../../site/pages.ts';
import { scopes } from '../../src/domain/api-key/scope.ts';
import { createApiKey } from '../manage/api-keys/key-holder.ts';
import { createSender, type Sender } from '../support/sender.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { codeOf, hasShapeOf, runPage } from './run-blocks.ts';

const pages = readSections()
  .flatMap((section) => section.pages)
  .map(({ source, markdown }) => ({ source, code: codeOf(markdown) }));
const runnable = pages.filter(({ code }) => code.blocks.length > 0);

let service: TestService;
let sender: Sender;
let key: string;

beforeAll(async () => {
  service = await startTestService();
  sender = await createSender(service);
  ({ key } = await createApiKey(service, sender.workspaceId, scopes));
});
afterAll(() => service.stop());

function knownValues(): Record<string, string> {
  const { token, secret, slug, workspaceId, formId } = sender;
  return { url: service.url, token, secret, slug, key, workspace: workspaceId, form: formId };
}

describe('the code of a page does what the page says', () => {
  test.each(runnable)('$source', async ({ code }) => {
    const known = knownValues();
    const values = Object.fromEntries(
      code.values.map((name) => {
        if (known[name] === undefined) throw new Error(`The test has no value for "${name}".`);
        return [name, known[name]];
      }),
    );
    const env = { LEADGATE_URL: service.url, LEADGATE_TOKEN: sender.token };
    const outputs = await runPage(code, values, env);
    for (const [place, output] of outputs.entries()) {
      const { answer } = code.blocks[place] as (typeof code.blocks)[number];
      if (answer === undefined) continue;
      const real = JSON.parse(output);
      expect(hasShapeOf(answer, real), `${JSON.stringify(answer)} is not like ${output}`).toBe(true);
    }
  });
});

test('the quickstart and the pages of both surfaces have code that runs', () => {
  const names = runnable.map(({ source }) => source);
  expect(names).toEqual(
    expect.arrayContaining(['docs/quickstart.md', 'docs/server-token.md', 'docs/webhook.md', 'docs/api.md']),
  );
});

test('a response of another shape is found', () => {
  expect(hasShapeOf({ submission_id: 'x' }, { status: 'rejected' })).toBe(false);
  expect(hasShapeOf({ items: [{ id: 'x' }] }, { items: [] })).toBe(false);
  expect(hasShapeOf({ items: [{ id: 'x' }] }, { items: [{ id: 'y', more: 1 }] })).toBe(true);
});
