type Node = Readonly<Record<string, unknown>>;

const nodesMax = 200;
const organizationTypes =
  /^(?:https?:\/\/schema\.org\/)?(?:Organization|Corporation|LocalBusiness|\w*(?:Organization|Business|Store|Company|Agency|Service))$/;

/** The first organization that a page describes in JSON-LD; null if there is none. */
export function findOrganization(blocks: readonly string[]): Node | null {
  const queue: unknown[] = blocks.map(parsed);
  for (let seen = 0; queue.length > 0 && seen < nodesMax; seen++) {
    const value = queue.shift();
    if (Array.isArray(value)) queue.push(...value.slice(0, nodesMax));
    if (!isNode(value)) continue;
    if (isOrganization(value)) return value;
    queue.push(value['@graph'], value.publisher, value.mainEntity);
  }
  return null;
}

function isOrganization(node: Node): boolean {
  const types = Array.isArray(node['@type']) ? node['@type'].slice(0, 5) : [node['@type']];
  return types.some((type) => typeof type === 'string' && organizationTypes.test(type.slice(0, 100)));
}

export function textAt(node: Node, key: string): string | null {
  const value = node[key];
  return typeof value === 'string' ? value : null;
}

/** An image is a URL, an object with one, or a list of either. */
export function linkAt(node: Node, key: string): string | null {
  const value = Array.isArray(node[key]) ? node[key][0] : node[key];
  if (typeof value === 'string') return value;
  return isNode(value) ? (textAt(value, 'url') ?? textAt(value, 'contentUrl')) : null;
}

export function textsAt(node: Node, key: string): string[] {
  const value = node[key];
  const list = Array.isArray(value) ? value.slice(0, 50) : [value];
  return list.filter((item): item is string => typeof item === 'string');
}

export function nodeAt(node: Node, key: string): Node | null {
  const value = Array.isArray(node[key]) ? node[key][0] : node[key];
  return isNode(value) ? value : null;
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
