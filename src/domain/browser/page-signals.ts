/** What is known of a web page besides the lead it sends. It never decides alone. */
export interface PageSignals {
  /** Sent by a form without script: nobody had to solve a challenge. */
  readonly isUnproven: boolean;
  /** Its challenge was solved sooner than any device can. */
  readonly isWorkFast: boolean;
  /** The browser says that it has no window. */
  readonly isHeadless: boolean;
}
