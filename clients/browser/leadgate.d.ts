/** Sends the leads of a web page. Load it from your own Leadgate: `import { leadgate } from 'https://…/sdk/v1.mjs'`. */
export declare function leadgate(options: LeadgateOptions): LeadgateForm;

export interface LeadgateOptions {
  /** The public key of the form: `ingt_pub_…`. */
  readonly key: string;
  /** The URL of the service, such as `https://leads.example.com`. Default: where this script was loaded from. */
  readonly url?: string;
  /** False to leave out `_context`: page, referrer, campaign parameters, click IDs and the time on the page. */
  readonly context?: boolean;
  /**
   * Where a lead waits that could not be sent yet: until the tab is closed (`session`, the default), for up to 24 hours
   * (`local`), or only as long as the page is open (`none`, and where the browser offers no storage). It is personal data on
   * the visitor's device.
   */
  readonly storage?: 'session' | 'local' | 'none';
  /** Where an attached form goes once its lead is accepted: a URL of HTTP or HTTPS. Without it, the form is reset. */
  readonly next?: string;
  /**
   * What an attached form says when its lead was not accepted, instead of a sentence in the language of the page. Empty: it
   * says nothing.
   */
  readonly error?: string;
}

export interface LeadgateForm {
  /** Sends a lead. Always fulfilled: a failure is a result with a reason. */
  submit(fields: Readonly<Record<string, unknown>>): Promise<LeadgateResult>;
  /** Sends this form's fields instead of posting it when a visitor submits it. */
  attach(form: HTMLFormElement): void;
  /** Sends again what is waiting. It happens without it too: when the script is loaded, and when the browser is online again. */
  resume(): Promise<void>;
}

export type LeadgateResult = LeadgateAccepted | LeadgateFailed;

/** Detail of the event `leadgate:accepted`. Call its `preventDefault` to stay on the page and keep the fields. */
export interface LeadgateAccepted {
  readonly submission_id: string;
}

/** Detail of the event `leadgate:failed`. Call its `preventDefault` to show visitors a text of your own. */
export interface LeadgateFailed {
  /**
   * - `rejected`: the service did not accept the lead; its owner sees why.
   * - `refused`: the page got no token, for example because its origin is not allowed, or the fields cannot be written as JSON.
   * - `offline`: five attempts failed; the lead waits and is sent when the browser is online again or the page is loaded.
   * - `too_large`: more than 128 KB.
   * - `insecure`: the page is not loaded by HTTPS, so browsers refuse the cryptography that is needed.
   */
  readonly reason: 'rejected' | 'refused' | 'offline' | 'too_large' | 'insecure';
}

declare global {
  interface Window {
    /** Defined by `v1.js`. */
    leadgate: typeof leadgate;
  }
  interface WindowEventMap {
    'leadgate:accepted': CustomEvent<LeadgateAccepted>;
    'leadgate:failed': CustomEvent<LeadgateFailed>;
  }
  interface HTMLElementEventMap {
    'leadgate:accepted': CustomEvent<LeadgateAccepted>;
    'leadgate:failed': CustomEvent<LeadgateFailed>;
  }
}
