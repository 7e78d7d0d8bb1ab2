import { nameOf } from '../hosts/database-url.ts';

const form = /^(postgres(?:ql)?:\/\/)(?:(.*)@)?[^/?#@]*([^?#]*)(\?[^#]*)?$/;
/** Parameters that say where to connect, or to which of several hosts. */
const ofHosts = /^(?:host|port|target_session_attrs)=/;

/** The URL of a node: role, password, database and parameters as on the coordinator, another host. */
export function nodeUrl(databaseUrl: string, node: { readonly host: string; readonly port: number }): string {
  const [, scheme = '', user, path = '', query = ''] = form.exec(databaseUrl) ?? [];
  const kept = query
    .slice(1)
    .split('&')
    .filter((parameter) => parameter !== '' && !ofHosts.test(parameter));
  return `${scheme}${user === undefined ? '' : `${user}@`}${nameOf(node)}${path}${kept.length === 0 ? '' : `?${kept.join('&')}`}`;
}
