import { expect, test } from 'vitest';
import { readConfig } from '../../config.ts';
import { AllowList } from './allow-list.ts';

const messageOf = (list: string) => {
  try {
    readConfig({ DELIVER_ALLOW: list }, () => 'k'.repeat(32));
    return 'accepted';
  } catch (error) {
    return (error as Error).message;
  }
};

test.each([
  ['127.0.0.1', '127.0.0.1', 8080, true],
  ['127.0.0.1', '127.0.0.2', 8080, false],
  ['127.0.0.1', '::ffff:127.0.0.1', 8080, true],
  ['10.0.5.0/24', '10.0.5.255', 80, true],
  ['10.0.5.0/24', '10.0.6.0', 80, false],
  ['10.0.5.7/24', '10.0.5.1', 80, true],
  ['10.0.5.0/24:8080', '10.0.5.1', 8080, true],
  ['10.0.5.0/24:8080', '10.0.5.1', 8081, false],
  ['10.0.0.1:80,10.0.0.1:81', '10.0.0.1', 81, true],
  ['::1', '::1', 80, true],
  ['::1', '0:0:0:0:0:0:0:1', 80, true],
  ['::1', '127.0.0.1', 80, false],
  ['FD00:5::/64', 'fd00:5::abcd', 80, true],
  ['fd00:5::/64', 'fd00:6::1', 80, false],
  ['[fd00:5::7]:8080', 'fd00:5::7', 8080, true],
  ['[fd00:5::7]:8080', 'fd00:5::7', 80, false],
  ['[fd00:5::]/64:8080', 'fd00:5::9', 8080, true],
  ['fe80::/10', 'fe80::1%eth0', 80, false],
  ['0.0.0.0/0', '10.1.2.3', 80, true],
  ['n8n.internal', '10.0.0.1', 80, false],
  ['', '127.0.0.1', 80, false],
])('the list %j and the address %s, port %i: %j', (list, address, port, isAllowed) => {
  expect(new AllowList(list).hasAddress(address, port)).toBe(isAllowed);
});

test.each([
  ['n8n.internal', 'n8n.internal', 5678, true],
  ['N8N.internal', 'n8n.internal', 5678, true],
  ['n8n', 'n8n', 80, true],
  ['n8n.internal:5678', 'n8n.internal', 5678, true],
  ['n8n.internal:5678', 'n8n.internal', 5679, false],
  ['n8n.internal', 'evil.n8n.internal', 5678, false],
  ['n8n.internal', 'internal', 5678, false],
  [' 10.0.0.1 , my_host ,', 'my_host', 80, true],
])('the list %j and the host %s, port %i: %j', (list, host, port, isAllowed) => {
  expect(new AllowList(list).hasHost(host, port)).toBe(isAllowed);
});

test.each([
  ['10.0.0.0/33', 'a number from 0 to 32'],
  ['10.0.0.0/', 'a number from 0 to 32'],
  ['10.0.0.0/8/8', 'a number from 0 to 32'],
  ['10.0.0.0/-1', 'a number from 0 to 32'],
  ['10.0.0.0/0x8', 'a number from 0 to 32'],
  ['fd00::/129', 'a number from 0 to 128'],
  ['10.0.0.1:0', 'a port from 1 to 65535'],
  ['10.0.0.1:65536', 'a port from 1 to 65535'],
  ['n8n.internal:', 'a port from 1 to 65535'],
  ['n8n.internal:http', 'a port from 1 to 65535'],
  ['[10.0.0.1]:80', 'no IPv6 address between its brackets'],
  ['[fd00::1', 'neither an IP address'],
  ['*.internal', 'neither an IP address'],
  ['http://n8n.internal', 'neither an IP address'],
  ['n8n.internal/hook', 'neither an IP address'],
  ['n8n.internal.', 'neither an IP address'],
  ['0x7f.1', 'neither an IP address'],
  ['2130706433', 'neither an IP address'],
  ['10.0.0', 'neither an IP address'],
  ['10.0.0.256', 'neither an IP address'],
  ['fe80::1%eth0', 'neither an IP address'],
  ['a b', 'neither an IP address'],
  ['127.0.0.1;10.0.0.1', 'neither an IP address'],
])('the list %j is refused at start: %s', (list, why) => {
  expect(messageOf(list)).toContain(`DELIVER_ALLOW: "${list}"`);
  expect(messageOf(list)).toContain(why);
});

test('a list of all kinds of entries is accepted', () => {
  expect(messageOf('10.0.5.0/24, n8n.internal:5678 ,::1,[fd00::1]:80,127.0.0.1:9000')).toBe('accepted');
});
