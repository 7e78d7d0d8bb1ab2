export interface NavigationSection {
  readonly title: string;
  /** Paths of Markdown files from the root of the repository. */
  readonly pages: readonly string[];
  /** Closed until one of its pages is open. */
  readonly isFolded?: true;
}

export const homePage = 'docs/overview.md';
export const insideSection = 'Inside Leadgate';

/**
 * The order of the pages in the side navigation and of the links to the previous and next page. A test fails when a page is
 * not listed. `*` means all pages of a folder.
 */
export const navigation: readonly NavigationSection[] = [
  {
    title: 'Start',
    pages: [homePage, 'docs/quickstart.md', 'docs/concepts.md', 'docs/install.md'],
  },
  {
    title: 'Send leads',
    pages: [
      'docs/server-token.md',
      'docs/webhook.md',
      'docs/signing.md',
      'docs/signature-debugger.md',
      'docs/browser.md',
      'docs/browser-tokens.md',
      'docs/browser-protection.md',
      'docs/held.md',
      'docs/idempotency.md',
      'docs/limits.md',
      'docs/client.md',
      'docs/troubleshooting.md',
      'docs/rejection-reasons.md',
    ],
  },
  {
    title: 'Recipes',
    pages: [
      'docs/recipes/zapier.md',
      'docs/recipes/make.md',
      'docs/recipes/n8n.md',
      'docs/recipes/webflow.md',
      'docs/recipes/typeform.md',
      'docs/recipes/html-form.md',
      'docs/recipes/react.md',
      'docs/recipes/vue.md',
      'docs/recipes/relay.md',
      'docs/recipes/relay-to-browser.md',
    ],
  },
  {
    title: 'Work with leads',
    pages: [
      'docs/settings-area.md',
      'docs/scoring.md',
      'docs/scoring-settings.md',
      'docs/enrichment.md',
      'docs/alarms.md',
      'docs/api.md',
      'docs/api-keys.md',
      'docs/error-codes.md',
      'docs/cli.md',
    ],
  },
  {
    title: 'Deliver leads',
    pages: [
      'docs/destinations.md',
      'docs/email.md',
      'docs/chat.md',
      'docs/hubspot.md',
      'docs/webhook-verification.md',
      'docs/deliveries.md',
      'docs/events.md',
      'docs/recipes/leads-to-zapier.md',
      'docs/recipes/leads-to-make.md',
      'docs/recipes/leads-to-n8n.md',
      'docs/recipes/leads-to-salesforce.md',
      'docs/recipes/leads-to-pipedrive.md',
      'docs/recipes/leads-to-google-sheets.md',
      'docs/recipes/leads-to-redpanda-connect.md',
      'docs/recipes/leads-to-files.md',
    ],
  },
  {
    title: 'Operate',
    pages: [
      'docs/operating.md',
      'docs/metrics.md',
      'docs/upgrading.md',
      'docs/backup.md',
      'docs/failover.md',
      'docs/citus.md',
      'docs/configuration.md',
      'docs/accounts.md',
      'docs/security.md',
      'docs/reliability.md',
      'docs/performance.md',
    ],
  },
  {
    title: insideSection,
    pages: ['ARCHITECTURE.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'docs/decisions/*'],
    isFolded: true,
  },
];
