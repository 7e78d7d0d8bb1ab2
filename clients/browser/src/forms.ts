import { fieldsOf } from './context.ts';
import { submit } from './leads.ts';
import { honeypotName } from './limits.ts';
import { attached, busy, type FullOptions, ownOf, release, tell } from './result.ts';

/** `base` is the URL of the service for forms that name none. */
export function watchForms(base: string): void {
  // On the window, so that the page's own listeners come first and can prevent it.
  addEventListener('submit', (event) => {
    const form = event.target as HTMLFormElement;
    const data = ownOf(form, 'dataset');
    const key = data.leadgate;
    if (key) attached.set(form, { url: base, ...data, key, context: data.context !== 'off' });
    onSubmit(event);
  });
  // From its cache the browser shows a page as it was left: with a busy form.
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) for (const form of busy.keys()) release(form);
  });
  document.querySelectorAll<HTMLFormElement>('form[data-leadgate]').forEach(addHoneypot);
}

export function attach(form: HTMLFormElement, options: FullOptions): void {
  attached.set(form, { ...ownOf(form, 'dataset'), ...options });
  // Events of a shadow tree do not reach the window.
  form.getRootNode().addEventListener('submit', onSubmit);
  addHoneypot(form);
}

function onSubmit(event: Event): void {
  const form = event.target as HTMLFormElement;
  const options = attached.get(form);
  // Without a secure context the browser posts the form itself, if it has somewhere to post it to.
  if (!options || event.defaultPrevented || (!crypto.subtle && form.hasAttribute('action'))) return;
  event.preventDefault();
  if (busy.has(form)) return;
  const fields = fieldsOf(new FormData(form, (event as SubmitEvent).submitter));
  const buttons = ([...ownOf(form, 'elements')] as HTMLButtonElement[]).filter(
    ({ type, disabled }) => type === 'submit' && !disabled,
  );
  for (const button of buttons) button.disabled = true;
  tell(form);
  form.ariaBusy = 'true';
  busy.set(form, buttons);
  void submit(options, fields, form);
}

/** A field that only programs fill in. Hidden by an attribute, because a strict policy refuses inline styles. */
function addHoneypot(form: HTMLFormElement): void {
  if (form.querySelector(`[name=${honeypotName}]`)) return;
  const wrapper = document.createElement('div');
  const input = document.createElement('input');
  wrapper.hidden = true;
  input.name = honeypotName;
  input.tabIndex = -1;
  input.autocomplete = 'off';
  wrapper.append(input);
  form.append(wrapper);
}
