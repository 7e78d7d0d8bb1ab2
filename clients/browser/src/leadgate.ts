import type { LeadgateForm, LeadgateOptions, LeadgateResult } from '../leadgate.d.ts';
import { attach, watchForms } from './forms.ts';
import { resume, submit } from './leads.ts';

/** `ownUrl` is the URL of this script: the service that it comes from also gets the leads, unless the page names another. */
export function start(ownUrl: string) {
  const base = ownUrl.replace(/\/sdk\/[^/]*$/, '');
  const begin = () => {
    watchForms(base);
    void resume();
  };
  if (document.readyState === 'loading') addEventListener('DOMContentLoaded', begin);
  else begin();
  addEventListener('online', resume);
  return (options: LeadgateOptions): LeadgateForm => {
    const full = { url: base, ...options };
    return {
      submit: (fields) => submit(full, fields, window) as Promise<LeadgateResult>,
      attach: (form) => attach(form, full),
      resume,
    };
  };
}
