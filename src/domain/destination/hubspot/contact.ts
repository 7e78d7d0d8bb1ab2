import { compact, itemsOf, type JsonText, kindOf, textOf } from '../../json/json-text.ts';
import type { LeadFacts } from '../lead-facts.ts';
import { type Mapping, mapped } from '../mapping.ts';
import { shortened } from '../message/plain-text.ts';
import { converted } from '../reading/conversion.ts';

/** A contact as HubSpot takes it: found by its email address, or created. */
export interface HubspotContact {
  readonly id: string;
  readonly idProperty: 'email';
  readonly properties: Readonly<Record<string, string>>;
}

/** The property that contacts are found by. */
export const contactIdProperty = 'email';

// What HubSpot documents for text that people type in.
const valueCharactersMax = 65_536;
const itemsMax = 1_000;

/** Null if the lead has no email address. */
export function contactOf(mapping: Mapping, lead: LeadFacts): HubspotContact | null {
  const members = mapped(mapping, lead);
  const id = addressIn(members.get(contactIdProperty));
  if (id === null) return null;
  // The address is not set as a property, too: the contact may have been found by a further address of the same person, and
  // keeps its first one then.
  const properties = [...members]
    .filter(([name]) => name !== contactIdProperty)
    .map(([name, json]) => [name, shortened(propertyText(json), valueCharactersMax).toWellFormed()]);
  return { id, idProperty: contactIdProperty, properties: Object.fromEntries(properties) };
}

/** HubSpot stores addresses in lower case, and two that differ only in case are one contact. */
function addressIn(json: JsonText | undefined): string | null {
  const address = json === undefined ? null : converted('email', json);
  return address === null ? null : textOf(address).toLowerCase();
}

/** Every value is text. Several choices are separated by semicolons, and empty text clears a property. */
function propertyText(json: JsonText): string {
  switch (kindOf(json)) {
    case 'null':
      return '';
    case 'list':
      return itemsOf(json, itemsMax)
        .filter((item) => kindOf(item) !== 'null')
        .map((item) => textOf(compact(item)))
        .join(';');
    default:
      return textOf(compact(json));
  }
}
