import { expect, test } from 'vitest';
import { isThrowAwayServer } from './throw-away-servers.ts';

test.each([
  'mail.wabblywabble.com',
  'MX4.Beavis99.net.',
  'generator.email',
  'mail2.mailinator.com',
  'in.mail.tm',
  'recv7.erinn.biz',
])('the server %s belongs to a disposable email service', (host) => {
  expect(isThrowAwayServer(host)).toBe(true);
});

test('so does a server under a listed disposable domain', () => {
  expect(isThrowAwayServer('mx.trashmail.net')).toBe(true);
});

/** A disposable email service may use these too, but ordinary companies far more often do. */
test.each(
  `aspmx.l.google.com smtp.google.com acme-com.mail.protection.outlook.com route1.mx.cloudflare.net mx.zoho.com
  mail.protonmail.ch in1-smtp.messagingengine.com mx1.mail.ovh.net mx00.ionos.com mxa.mailgun.org mx.sendgrid.net
  inbound-smtp.eu-west-1.amazonaws.com eforward1.registrar-servers.com mx1.privateemail.com mx1.forwardemail.net mx1.improvmx.com
  mx1.simplelogin.co mail.anonaddy.me mx1.alias.proton.me park-mx.above.com mail.h-email.net mx1.timeweb.ru
  publicms1.mail2world.com us2.mx1.mailhostbox.com mx1-hosting.jellyfish.systems mxa-001.pphosted.com eu-smtp-inbound-1.mimecast.com
  d1.ess.barracudanetworks.com mx1.hc1.iphmx.com mx01.mail.icloud.com smtp.secureserver.net mx.yandex.net mxbiz1.qq.com
  mail.acme.com localhost`.split(/\s+/),
)('the server %s does not count against an address', (host) => {
  expect(isThrowAwayServer(host)).toBe(false);
});

test('names are compared label by label', () => {
  expect(isThrowAwayServer('mail.notgenerator.email.acme.com')).toBe(false);
  expect(isThrowAwayServer('xmail.tm')).toBe(false);
});
