/** Who stands behind a mail exchange, by the end of its name; the longest end wins. Written by hand. */
const providers: Record<string, string> = {
  'google.com': 'Google Workspace',
  'googlemail.com': 'Google Workspace',
  'mail.protection.outlook.com': 'Microsoft 365',
  'mx.microsoft': 'Microsoft 365',
  'outlook.com': 'Microsoft 365',
  'zoho.com': 'Zoho Mail',
  'zoho.eu': 'Zoho Mail',
  'zoho.in': 'Zoho Mail',
  'protonmail.ch': 'Proton Mail',
  'messagingengine.com': 'Fastmail',
  'mx.cloudflare.net': 'Cloudflare Email Routing',
  'icloud.com': 'iCloud Mail',
  'ovh.net': 'OVHcloud',
  'ionos.com': 'IONOS',
  'ionos.de': 'IONOS',
  'ionos.co.uk': 'IONOS',
  '1and1.com': 'IONOS',
  'kundenserver.de': 'IONOS',
  'perfora.net': 'IONOS',
  'gandi.net': 'Gandi',
  'yandex.net': 'Yandex 360',
  'yandex.ru': 'Yandex 360',
  'qq.com': 'Tencent Exmail',
  'mxhichina.com': 'Alibaba Mail',
  'mail.ru': 'VK WorkSpace',
  'secureserver.net': 'GoDaddy',
  'strato.de': 'STRATO',
  'rzone.de': 'STRATO',
  'hostinger.com': 'Hostinger',
  'titan.email': 'Titan',
  'infomaniak.ch': 'Infomaniak',
  'mailbox.org': 'mailbox.org',
  'one.com': 'one.com',
  'amazonaws.com': 'Amazon WorkMail',
  'awsapps.com': 'Amazon WorkMail',
  'rackspace.com': 'Rackspace',
  'emailsrvr.com': 'Rackspace',
  'dreamhost.com': 'DreamHost',
  'privateemail.com': 'Namecheap Private Email',
  'migadu.com': 'Migadu',
  'tutanota.de': 'Tuta',
  'your-server.de': 'Hetzner',
  'agenturserver.de': 'Mittwald',
  'kasserver.com': 'ALL-INKL.COM',
  'hosteurope.de': 'Host Europe',
  'udag.de': 'united-domains',
  'improvmx.com': 'ImprovMX',
  'forwardemail.net': 'Forward Email',
  'hey.com': 'HEY',
  'larksuite.com': 'Lark',
  'feishu.cn': 'Lark',
};

/** Filters in front of a mailbox: the mailbox itself is somewhere behind. */
const gateways: Record<string, string> = {
  'pphosted.com': 'Proofpoint',
  'ppe-hosted.com': 'Proofpoint Essentials',
  'mimecast.com': 'Mimecast',
  'mimecast.co.za': 'Mimecast',
  'barracudanetworks.com': 'Barracuda',
  'iphmx.com': 'Cisco Secure Email',
  'messagelabs.com': 'Symantec Email Security',
  'trendmicro.com': 'Trend Micro',
  'trendmicro.eu': 'Trend Micro',
  'hornetsecurity.com': 'Hornetsecurity',
  'antispameurope.com': 'Hornetsecurity',
  'retarus.com': 'Retarus',
  'mailcontrol.com': 'Forcepoint',
  'fireeyecloud.com': 'Trellix',
  'sophos.com': 'Sophos',
  'spamexperts.com': 'SpamExperts',
  'spamexperts.eu': 'SpamExperts',
  'mailspamprotection.com': 'SpamExperts',
  'nospamproxy.com': 'NoSpamProxy',
  'eset.cloud': 'ESET',
  'mx25.net': 'Mailprotector',
};

export const mailProviderOf = (host: string) => bySuffix(providers, host);
export const mailGatewayOf = (host: string) => bySuffix(gateways, host);

export function plainHost(host: string): string {
  return host.toLowerCase().replace(/\.$/, '');
}

/** Compared at dots: notgoogle.com does not end in google.com. */
export function bySuffix(table: Readonly<Record<string, string>>, host: string): string | null {
  const labels = plainHost(host).split('.');
  for (let i = 0; i < labels.length; i++) {
    const suffix = labels.slice(i).join('.');
    if (Object.hasOwn(table, suffix)) return table[suffix] as string;
  }
  return null;
}
