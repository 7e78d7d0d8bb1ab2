import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Input {
  readonly id: string;
  readonly idProperty?: string;
  readonly properties: Readonly<Record<string, string>>;
}

export interface Contact {
  readonly id: string;
  properties: Record<string, string>;
  /** How often it was written. */
  writes: number;
}

interface Flaw {
  readonly message: string;
  readonly error: string;
  readonly name: string;
}

/** True if it has responded. */
type Behaviour = (response: ServerResponse, inputs: readonly Input[]) => boolean;

const contactsWrite = 'crm.objects.contacts.write';
const schemasRead = 'crm.schemas.contacts.read';

function property(name: string, label: string, type = 'string', more: object = {}) {
  return {
    ...{ name, label, type, fieldType: 'text', groupName: 'contactinformation', options: [], hidden: false },
    ...{ calculated: false, archived: false, displayOrder: 1, formField: true, hasUniqueValue: false },
    modificationMetadata: { archivable: true, readOnlyDefinition: false, readOnlyValue: false },
    ...more,
  };
}

const readOnly = { archivable: false, readOnlyDefinition: true, readOnlyValue: true };

/**
 * Stands in for HubSpot: the two endpoints that are used, as HubSpot documents them. What the documentation leaves open is
 * as others found it: a request with one invalid contact, or with the same ID twice, writes nothing; results are in no
 * particular order; addresses are stored in lower case.
 */
export class HubspotStandIn {
  readonly token = 'pat-eu1-0123456789abcdef';
  /** By token. */
  readonly scopes = new Map<string, readonly string[]>([[this.token, [contactsWrite, schemasRead]]]);
  /** By address. */
  readonly contacts = new Map<string, Contact>();
  /** The inputs of each upsert, in order. */
  readonly upserts: (readonly Input[])[] = [];
  readonly properties = [
    property('email', 'Email'),
    property('firstname', 'First Name'),
    property('phone', 'Phone Number'),
    property('company', 'Company Name'),
    property('score', 'Score', 'number'),
    property('newsletter', 'Newsletter', 'bool'),
    property('birthday', 'Birthday', 'date'),
    property('first_seen', 'First seen', 'datetime'),
    property('interests', 'Interests', 'enumeration', {
      fieldType: 'checkbox',
      options: ['forms', 'leads'].map((value) => ({ value, label: value, hidden: false })),
    }),
    property('hubspot_owner_id', 'Contact owner', 'enumeration', { externalOptions: true }),
    property('createdate', 'Create Date', 'datetime', { modificationMetadata: readOnly }),
    property('lead_rank', 'Rank', 'number', { calculated: true }),
  ];
  /** Responds to upserts instead, if it wants to. */
  behaviour: Behaviour = () => false;
  /** Responds to reads of the properties instead. */
  readBehaviour: (response: ServerResponse) => boolean = () => false;
  /** The tokens that properties were read with, in order. */
  readonly reads: string[] = [];
  /** True to accept what is valid, and to say with 207 what is not. */
  isMultiStatus = false;
  readonly #server = createServer((request, response) => this.#take(request, response));

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return this;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** As at the start, for the next test. */
  reset(): void {
    this.contacts.clear();
    this.upserts.length = 0;
    this.scopes.clear();
    this.scopes.set(this.token, [contactsWrite, schemasRead]);
    this.behaviour = () => false;
    this.readBehaviour = () => false;
    this.reads.length = 0;
    this.isMultiStatus = false;
  }

  #take(request: IncomingMessage, response: ServerResponse): void {
    const chunks: Buffer[] = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => this.serve(request, response, Buffer.concat(chunks).toString()));
  }

  serve({ method, url, headers }: IncomingMessage, response: ServerResponse, body: string) {
    const call = `${method} ${url}`;
    const needed = { [upsertCall]: contactsWrite, [propertiesCall]: schemasRead }[call];
    if (needed === undefined) return refuse(response, 404, 'OBJECT_NOT_FOUND', 'resource not found');
    const token = headers.authorization?.replace(/^Bearer /, '') ?? '';
    if (call === propertiesCall) this.reads.push(token);
    if (call === propertiesCall && this.readBehaviour(response)) return;
    const scopes = this.scopes.get(token);
    if (scopes === undefined)
      return refuse(
        response,
        401,
        'INVALID_AUTHENTICATION',
        'Authentication credentials not found. This API supports OAuth 2.0 authentication and you can find more details at https://developers.hubspot.com/docs/methods/auth/oauth-overview',
      );
    if (!scopes.includes(needed)) {
      const message = 'One or more of the following scopes are required.';
      const errors = [{ message, context: { requiredGranularScopes: [needed] } }];
      return refuse(response, 403, 'MISSING_SCOPES', 'This app hasn’t been granted all scopes.', { errors });
    }
    if (call === propertiesCall) return respond(response, 200, { results: this.properties });
    this.#upsert(JSON.parse(body).inputs, response);
  }

  #upsert(inputs: readonly Input[], response: ServerResponse) {
    this.upserts.push(inputs);
    if (this.behaviour(response, inputs)) return;
    const invalid = (message: string, more: object = {}) =>
      refuse(response, 400, 'VALIDATION_ERROR', message, more);
    if (inputs.length > 100)
      return invalid('The maximum number of inputs supported in a batch request is 100');
    if (inputs.some(({ idProperty }) => idProperty !== 'email'))
      return invalid('Unable to upsert by this property');
    const ids = inputs.map(({ id }) => id.toLowerCase());
    const repeated = ids.filter((id, i) => ids.indexOf(id) !== i);
    if (repeated.length > 0)
      return invalid(`Duplicate IDs found in batch input: [${repeated.join(', ')}]. IDs must be unique`);
    const flaws = inputs.map((input) => this.#flawsOf(input));
    if (this.isMultiStatus) return this.#respondToEach(inputs, flaws, response);
    const all = flaws.flat();
    if (all.length > 0) return invalid(flawText(all), { errors: all.map(detailOf) });
    respond(response, 200, {
      status: 'COMPLETE',
      results: inputs.map((input) => this.#write(input)).toReversed(),
    });
  }

  #respondToEach(inputs: readonly Input[], flaws: readonly Flaw[][], response: ServerResponse) {
    const results = inputs.filter((_, i) => flaws[i]?.length === 0).map((input) => this.#write(input));
    const errors = flaws
      .filter((own) => own.length > 0)
      .map((own) => ({ status: 'error', category: 'VALIDATION_ERROR', message: flawText(own) }));
    if (errors.length === 0) return respond(response, 200, { status: 'COMPLETE', results });
    respond(response, 207, { status: 'COMPLETE', results, numErrors: errors.length, errors });
  }

  #write({ id, properties }: Input) {
    const address = id.toLowerCase();
    const known = this.contacts.get(address);
    const contact = known ?? { id: randomUUID(), properties: { email: address }, writes: 0 };
    contact.properties = { ...contact.properties, ...properties };
    contact.writes++;
    this.contacts.set(address, contact);
    return { id: contact.id, properties: contact.properties, new: known === undefined, archived: false };
  }

  #flawsOf({ id, properties }: Input): Flaw[] {
    const isAddress = /^[\w.+-]+@[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,}$/.test(id);
    const own = isAddress
      ? []
      : [{ message: `Email address ${id} is invalid`, error: 'INVALID_EMAIL', name: 'email' }];
    return [...own, ...Object.entries(properties).flatMap(([name, value]) => this.#flawOf(name, value))];
  }

  #flawOf(name: string, value: string): Flaw[] {
    const known = this.properties.find((one) => one.name === name);
    if (known === undefined)
      return [{ message: `Property "${name}" does not exist`, error: 'PROPERTY_DOESNT_EXIST', name }];
    if (known.modificationMetadata.readOnlyValue || known.calculated)
      return [{ message: `${name} is a read only property`, error: 'READ_ONLY_VALUE', name }];
    if (value === '') return [];
    const options = known.options.map((option: { value: string }) => option.value);
    const wrong = value.split(';').find((one) => options.length > 0 && !options.includes(one));
    if (wrong !== undefined) {
      const message = `${wrong} was not one of the allowed options: [${options.join(', ')}]`;
      return [{ message, error: 'INVALID_OPTION', name }];
    }
    if (known.type === 'number' && !/^-?\d+(?:\.\d+)?$/.test(value))
      return [{ message: `${value} was not a valid number.`, error: 'INVALID_DOUBLE', name }];
    return [];
  }
}

const upsertCall = 'POST /crm/v3/objects/contacts/batch/upsert';
const propertiesCall = 'GET /crm/v3/properties/contacts';

function flawText(flaws: readonly Flaw[]): string {
  const list = flaws.map((flaw) => ({ isValid: false, ...flaw, localizedErrorMessage: flaw.message }));
  return `Property values were not valid: ${JSON.stringify(list)}`;
}

function detailOf({ message, error: code, name }: Flaw) {
  return { message, code, context: { propertyName: [name] } };
}

function refuse(
  response: ServerResponse,
  status: number,
  category: string,
  message: string,
  more: object = {},
): void {
  const correlationId = randomUUID();
  respond(response, status, { status: 'error', message, correlationId, category, ...more });
}

function respond(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json;charset=utf-8' }).end(JSON.stringify(body));
}

/** For a behaviour: as when an app has sent too much. */
export function throttle(response: ServerResponse, headers: Record<string, string> = {}): true {
  const message = 'You have reached your ten_secondly_rolling limit.';
  const body = { status: 'error', message, errorType: 'RATE_LIMIT', policyName: 'TEN_SECONDLY_ROLLING' };
  response.writeHead(429, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  return true;
}
