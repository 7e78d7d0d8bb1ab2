import { hostileUrls } from '../enrich/hostile-urls.ts';

const addresses = `127.0.0.1 127.0.0.2 127.127.127.127 127.255.255.255 0.0.0.0 0.0.0.1 10.0.0.1 10.255.255.255 100.64.0.1 100.100.100.200
  100.127.255.255 169.254.169.254 169.254.170.2 172.16.0.1 172.17.0.1 172.31.255.255 192.0.0.1 192.0.0.192 192.0.2.1 192.88.99.1
  192.168.0.1 192.168.99.100 192.168.255.255 168.63.129.16 198.18.0.1 198.19.255.255 198.51.100.1 203.0.113.1 224.0.0.1 239.255.255.255
  240.0.0.1 255.255.255.255 [::] [::1] [::2] [::ffff:7f00:1] [::ffff:a9fe:a9fe] [::ffff:a00:1] [::ffff:0:7f00:1] [::7f00:1]
  [64:ff9b::7f00:1] [64:ff9b::a9fe:a9fe] [64:ff9b:1::1] [100::1] [2001::1] [2001:db8::1] [2001:10::1] [2002:7f00:1::]
  [2002:a9fe:a9fe::] [3fff::1] [5f00::1] [fc00::1] [fd00:ec2::254] [fd20:ce::254] [fe80::1] [febf::1] [fec0::1] [ff02::1] [ff05::1:3]`;

/** What parsers read as an address that they do not show. */
const notations = `127.1 127.0.1 0x7f.1 0x7f.0.0.1 0x7f000001 0X7F000001 017700000001 0177.0.0.1 0177.1 00177.0.0.1 2130706433 127.0.0.1.
  127.0.0.1.. 0 00 0x0 0.0 0x0.0 127.0x1 127.0.01 0x7f.0x0.0x0.0x1 0177.0x0.0.1 2852039166 0xa9fea9fe 0251.0376.0251.0376 169.254.43518
  169.16689662 0xa9.254.169.254 ①②⑦.⓪.⓪.① １２７.０.０.１ 127。0。0。1 127．0．0．1 127｡0｡0｡1 𝟏𝟐𝟕.𝟎.𝟎.𝟏 ₁₂₇.₀.₀.₁ %31%32%37.0.0.1 127%2e0%2e0%2e1 127.0.0.1%2e
  0x7f000001. [0:0:0:0:0:0:0:1] [0000::0001] [::127.0.0.1] [::ffff:127.0.0.1] [::FFFF:127.0.0.1] [0:0:0:0:0:ffff:7f00:1]
  [::ffff:169.254.169.254] [64:ff9b::127.0.0.1] [::1%25lo] [::1%lo] [fe80::1%25eth0] [v1.::1] [127.0.0.1] 127.0.0.1%00 127.0.0.1%0a
  4294967296 127.0.0.256 0x100000000 127.0.0.1.1 08.8.8.8 0o177.0.0.1 ::1 ::ffff:127.0.0.1`;

/** Names of this machine, of its network and of no network. */
const names = `localhost LOCALHOST localhost. LocalHost ⓛⓞⓒⓐⓛⓗⓞⓢⓣ lo\u00ADcalhost l\u200Bocalhost localhost.localdomain app.localhost
  a.b.localhost localhost6 ip6-localhost ip6-loopback broadcasthost intranet db postgres redis n8n wpad metadata instance-data
  metadata.google.internal metadata.internal host.docker.internal gateway.docker.internal kubernetes.docker.internal kubernetes
  kubernetes.default kubernetes.default.svc kubernetes.default.svc.cluster.local printer.local router.lan nas.home nas.home.arpa
  1.0.0.127.in-addr.arpa wiki.corp x.private x.test x.invalid x.example x.onion consul.service.consul acme-public.com. com co.uk
  .com acme-public..com -`;

/** The whole URL is the trick. */
const urls = [
  'https://acme-public.com@127.0.0.1/',
  'https://acme-public.com:443@127.0.0.1/',
  'https://127.0.0.1@acme-public.com/',
  'https://user:secret@acme-public.com/',
  'https://:@acme-public.com/',
  'https://@acme-public.com/',
  'https://acme-public.com%40127.0.0.1/',
  'https://acme-public.com%2f@127.0.0.1/',
  'https://127.0.0.1#@acme-public.com/',
  'https://127.0.0.1?@acme-public.com/',
  'https://127.0.0.1\\@acme-public.com/',
  'https://acme-public.com\\@127.0.0.1/',
  'https:\\\\127.0.0.1\\',
  'https:/\\127.0.0.1/',
  'https:127.0.0.1/',
  'https:///127.0.0.1/',
  'https:////127.0.0.1/',
  'https://acme-public.com\t@127.0.0.1/',
  'https://127.0.\n0.1/',
  'ht\ntps://127.0.0.1/',
  '\thttps://acme-public.com/',
  'https://acme-public.com/ ',
  'https://acme-public.com/\0',
  'https://acme-public.com/\r\nHost: 127.0.0.1',
  'https://acme-public.com:0/',
  'https://acme-public.com:-1/',
  'https://acme-public.com:99999/',
  'https://acme-public.com:80:80/',
  'https://acme-public.com/#fragment',
  'http://acme-public.com/',
  'HTTP://acme-public.com/',
  'http://acme-public.com:443/',
  '//acme-public.com/',
  '/leads',
  'acme-public.com',
  `https://acme-public.com/${'a'.repeat(3_000)}`,
  ...[
    'ftp',
    'file',
    'gopher',
    'dict',
    'ldap',
    'ws',
    'wss',
    'unix',
    'jar',
    'tftp',
    'ssh',
    'data',
    'blob',
    'javascript',
  ].map((scheme) => `${scheme}://acme-public.com/`),
  'http+unix://%2Fvar%2Frun%2Fdocker.sock/',
  'view-source:https://127.0.0.1/',
  'file:///etc/passwd',
  'data:text/plain,x',
  'https://',
  'https://[',
  'https://[]/',
  'https://[::1',
  '',
  ' ',
];

/** The two rules of enrichment that deliveries do not have: a public address, and any port of a public host. */
const allowedHere = /^https:\/\/(?:acme-public\.com:(?!0\/|65536)\w+\/|93\.184\.|\[2606:)/;

const hosts = [addresses, notations, names].flatMap((list) => list.trim().split(/\s+/));

/** Leads must never be sent there while DELIVER_ALLOW is empty. */
export const hostileTargets: readonly string[] = [
  ...hosts.flatMap((host) => [`https://${host}/`, `http://${host}/`, `https://${host}:8443/leads?x=1`]),
  ...urls,
  ...hostileUrls,
  ...hostileUrls.map((url) => url.replace(/^http:/, 'https:')),
].filter((url) => !allowedHere.test(url));
