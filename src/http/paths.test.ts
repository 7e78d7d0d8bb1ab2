import { expect, test } from 'vitest';
import { destinationOf } from './paths.ts';

test.each([
  ['/api/v1/ingest', { kind: 'server' }],
  ['/api/v1/ingest?a=b', { kind: 'server' }],
  ['/api/v1/ingest#a', { kind: 'server' }],
  ['http://host/api/v1/ingest', { kind: 'server' }],
  ['/api/v1/ingest/', { kind: 'webhook', slug: '' }],
  ['/api/v1/ingest/contact?a=b', { kind: 'webhook', slug: 'contact' }],
  ['/api/v1/ingest/con%74act', { kind: 'webhook', slug: 'contact' }],
  ['/api/v1/ingest/a/b', { kind: 'webhook', slug: 'a/b' }],
  ['/api/v1/ingest/%ff', { kind: 'webhook', slug: null }],
  ['/api/ingest/contact', { kind: 'retired' }],
  ['/api/ingest', { kind: 'retired' }],
  ['/api/v1/browser/submissions', { kind: 'browser' }],
  ['/api/v1/browser/submissions?a=b', { kind: 'browser' }],
  ['/api/v1/browser/challenges', { kind: 'challenges' }],
  ['/api/v1/browser/tokens', { kind: 'tokens' }],
  ['/api/v1/browser/forms/ingt_pub_x', { kind: 'no-script', publicKey: 'ingt_pub_x' }],
  ['/api/v1/browser/forms', { kind: 'browser-other' }],
  ['/api/v1/browser', { kind: 'browser-other' }],
  ['/api/v1/browser/tokens/', { kind: 'browser-other' }],
  ['/api/v1/browsers', { kind: 'other' }],
  ['/api/v1/ingests', { kind: 'other' }],
  ['/api/v1/workspaces', { kind: 'other' }],
  ['*', { kind: 'other' }],
  ['', { kind: 'other' }],
])('%s', (target, destination) => {
  expect(destinationOf(target)).toEqual(destination);
});
