import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Firefox, isFirefoxInstalled, startFirefox } from './firefox.ts';
import { contactPage, strictPolicy } from './page-server.ts';
import { type SdkWorld, startSdkWorld } from './world.ts';

// The window’s name stays when the browser goes to another page.
const listenScript = `for (const event of ['leadgate:accepted', 'leadgate:failed'])
  addEventListener(event, ({ detail }) => { window.name += JSON.stringify(detail) + ';'; });`;

describe.skipIf(!isFirefoxInstalled)('in Firefox, which must be installed for this,', () => {
  let world: SdkWorld;
  let firefox: Firefox;

  beforeAll(async () => {
    [world, firefox] = await Promise.all([startSdkWorld(), startFirefox()]);
    await firefox.beforeEach(listenScript);
    world.pages.add('/thanks', '<!doctype html><title>Thanks</title>');
  });
  afterAll(async () => {
    await firefox.stop();
    await world.stop();
  });

  const openForm = async (path: string, form: string) => {
    const { pages, service, key } = world;
    const script = `<script src="${service.url}/sdk/v1.js" defer></script>`;
    const html = contactPage(script, `data-leadgate="${key}" ${form}`);
    await firefox.open(pages.add(path, html, strictPolicy(service.url)));
    await firefox.run(`window.name = ''`);
  };
  const told = async () =>
    String(await firefox.run('window.name'))
      .split(';')
      .flatMap((text) => (text === '' ? [] : [JSON.parse(text)]));

  test('a form is sent under a strict policy, and is empty afterwards', async () => {
    await openForm('/strict', '');
    await firefox.run(`document.querySelector('textarea').value = 'From Firefox'`);
    await firefox.run(`document.querySelector('button').click()`);
    await expect.poll(told).toEqual([{ submission_id: expect.any(String) }]);
    const [{ submission_id }] = await told();
    const lead = (await world.leads()).find((one) => one.submission_id === submission_id);
    expect(lead.fields).toMatchObject({ name: 'Ada Lovelace', message: 'From Firefox' });
    expect(await firefox.run(`document.querySelector('textarea').value`)).toBe('');
  });

  test('two clicks send one lead; the form is busy meanwhile, and can be used again on the way back', async () => {
    await openForm('/double', 'data-next="/thanks"');
    const before = (await world.leads()).length;
    const busy = await firefox.run(`(() => {
      const button = document.querySelector('button');
      button.click();
      button.click();
      return [button.disabled, document.forms[0].getAttribute('aria-busy')];
    })()`);
    expect(busy).toEqual([true, 'true']);
    await expect.poll(() => firefox.run('document.title')).toBe('Thanks');
    expect(await told()).toHaveLength(1);
    expect(await world.leads()).toHaveLength(before + 1);
    await firefox.run('history.back()');
    const state = `[document.title, document.querySelector('button')?.disabled]`;
    await expect.poll(() => firefox.run(state)).toEqual(['Contact', false]);
  });

  test('a form of 200 KB fails before anything is sent', async () => {
    await openForm('/large', '');
    await firefox.run(`document.querySelector('textarea').value = 'x'.repeat(200000)`);
    await firefox.run(`document.querySelector('button').click()`);
    await expect.poll(told).toEqual([{ reason: 'too_large' }]);
  });
});
